package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
)

// metadataOnly asks the API server to leave out all but the metadata. It names nothing
// else that would do: a server that cannot do it gives an error, never a Secret's data.
const metadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

// HelmReleases lists the Secrets that hold Helm's releases, by their metadata alone: the
// labels tell release, revision and status. Their data is never asked for.
func (c *Cluster) HelmReleases(ctx context.Context) ([]metav1.PartialObjectMetadata, error) {
	a := verify.Access{Resource: "secrets", Verb: "list", Optional: true}
	return pages(ctx, c, a, "", "owner=helm", func(ctx context.Context, o metav1.ListOptions) ([]metav1.PartialObjectMetadata, string, error) {
		body, err := c.client.CoreV1().RESTClient().Get().AbsPath("/api/v1/secrets").
			Param("labelSelector", o.LabelSelector).Param("fieldSelector", "type=helm.sh/release.v1").
			Param("limit", strconv.FormatInt(o.Limit, 10)).Param("continue", o.Continue).
			SetHeader("Accept", metadataOnly).DoRaw(ctx)
		if err != nil {
			return nil, "", err
		}
		var l metav1.PartialObjectMetadataList
		if err := json.Unmarshal(body, &l); err != nil {
			return nil, "", fmt.Errorf("reading the answer: %w", err)
		}
		return l.Items, l.Continue, nil
	})
}
