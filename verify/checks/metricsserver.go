package checks

import (
	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

func metricsServer(c *cluster.Cluster, f Facts, o Options) []verify.Check { return nil }
