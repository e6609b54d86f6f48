package audit

import (
	"fmt"
	"slices"

	"github.com/surespray/surespray/extravars"
)

// metricsServerPort tells about two servers on one port of a node.
func metricsServerPort(a *auditor) {
	port, known := a.number("metrics_server_container_port")
	if !a.isTrue("metrics_server_enabled") || !a.isTrue("metrics_server_host_network") || !known || port != 10250 {
		return
	}
	a.add(a.at(Finding{
		Severity: extravars.SeverityWarning, Code: "metrics-server-host-port", Key: "metrics_server_host_network",
		Message: "metrics-server in the host's network listens on port 10250, which is the kubelet's: its pod cannot start on any node",
		Fix:     "set metrics_server_container_port to a free port, such as 4443",
	}, "metrics_server_host_network", "metrics_server_container_port"))
}

// metricsServerTLS tells what else the switch for verified kubelet certificates does in
// releases whose APIService hangs on the same variable.
func metricsServerTLS(a *auditor) {
	if !a.isTrue("metrics_server_enabled") || !a.isFalse("metrics_server_kubelet_insecure_tls") {
		return
	}
	coupled := slices.ContainsFunc(a.Checkout.Mentions("insecureSkipTLSVerify"), func(line string) bool { return hasName(line, "metrics_server_kubelet_insecure_tls") })
	rotates := a.isTrue("kubelet_rotate_server_certificates")
	if !coupled && rotates {
		return
	}
	f := Finding{Severity: extravars.SeverityWarning, Code: "metrics-server-tls", Key: "metrics_server_kubelet_insecure_tls"}
	if coupled {
		f.Message = "with metrics_server_kubelet_insecure_tls: false this release also makes the API server verify metrics-server's own certificate (insecureSkipTLSVerify of the APIService), and gives it no CA: the metrics API stays unavailable"
	}
	if !rotates {
		if f.Message != "" {
			f.Message += "; and "
		}
		f.Message += "without kubelet_rotate_server_certificates the kubelets keep certificates that they signed themselves, which metrics-server then refuses"
	}
	f.Fix = "all of: kubelet_rotate_server_certificates: true; run the tags node and control-plane; kubelet_csr_approver_enabled: true, or approve the certificate requests by hand"
	if coupled {
		f.Fix += "; give the APIService v1beta1.metrics.k8s.io a caBundle for metrics-server's certificate; or leave metrics_server_kubelet_insecure_tls at true"
	}
	a.add(a.at(f, "metrics_server_kubelet_insecure_tls"))
}

func hasName(text, name string) bool { return slices.Contains(word.FindAllString(text, -1), name) }

// defaultStorageClasses tells when more than one StorageClass would be the default.
func defaultStorageClasses(a *auditor) {
	var makers, names []string
	if a.isTrue("local_path_provisioner_enabled") && a.text("local_path_provisioner_is_default_storageclass") == "true" {
		makers = append(makers, "local_path_provisioner_storage_class ("+a.text("local_path_provisioner_storage_class")+")")
		names = append(names, "local_path_provisioner_is_default_storageclass", "local_path_provisioner_enabled")
	}
	if a.isTrue("persistent_volumes_enabled") {
		for _, driver := range []string{"cinder_csi_enabled", "upcloud_csi_enabled"} {
			classes, ok := a.value("storage_classes")
			if !a.isTrue(driver) || !ok {
				continue
			}
			for _, name := range defaultsAmong(classes) {
				makers = append(makers, fmt.Sprintf("storage_classes (%s)", name))
				names = append(names, "storage_classes", driver)
			}
		}
	}
	if len(makers) < 2 {
		return
	}
	a.add(a.at(Finding{
		Severity: extravars.SeverityWarning, Code: "two-default-storage-classes", Key: "local_path_provisioner_is_default_storageclass",
		Message: fmt.Sprintf("%d StorageClasses would be the default: %s; claims without a class then take the newest", len(makers), some(makers)),
		Fix:     `set local_path_provisioner_is_default_storageclass: "false" (a text), or is_default: false in storage_classes`,
	}, names...))
}

// defaultsAmong names the classes of a list that say is_default.
func defaultsAmong(classes any) []string {
	var out []string
	list, _ := classes.([]any)
	for _, item := range list {
		var name string
		var isDefault bool
		eachEntry(item, func(key string, v any) {
			switch key {
			case "name":
				name, _ = v.(string)
			case "is_default":
				isDefault, _ = v.(bool)
			}
		})
		if isDefault {
			out = append(out, name)
		}
	}
	return out
}

// eachEntry calls f for what a dictionary holds, whoever read it.
func eachEntry(v any, f func(key string, v any)) {
	switch m := v.(type) {
	case extravars.Mapping:
		for _, p := range m {
			if key, ok := p.Key.(string); ok {
				f(key, p.Value)
			}
		}
	case map[string]any:
		for key, v := range m {
			f(key, v)
		}
	}
}

// strictARP tells about addons that answer ARP for addresses which kube-proxy's ipvs mode
// answers for as well. Their roles stop the run then.
func strictARP(a *auditor) {
	if a.text("kube_proxy_mode") != "ipvs" || !a.isFalse("kube_proxy_strict_arp") || a.isFalse("kube_proxy_deployed") {
		return
	}
	for _, addon := range [][]string{{"metallb_enabled", "metallb"}, {"kube_vip_arp_enabled", "kube-vip"}} {
		name := addon[0]
		if !a.isTrue(name) || name == "kube_vip_arp_enabled" && !a.isTrue("kube_vip_enabled") {
			continue
		}
		a.add(a.at(Finding{
			Severity: extravars.SeverityError, Code: "arp-without-strict-arp", Detail: addon[1], Key: "kube_proxy_strict_arp",
			Message: fmt.Sprintf("%s needs kube_proxy_strict_arp: true while kube_proxy_mode is ipvs: its role stops the run", addon[1]),
			Fix:     "set kube_proxy_strict_arp: true; on a running cluster kube-proxy's ConfigMap takes it from the tag control-plane, not from the addon's",
		}, "kube_proxy_strict_arp", name))
	}
}
