package report

import (
	"fmt"
	"time"

	"github.com/surespray/surespray/verify"
)

// documents are the reports that the golden files show.
func documents() map[string]Document {
	lab := Cluster{Server: "https://10.40.0.11:6443", UID: "5f2c", Version: "v1.36.3", Kubeconfig: "inventory/lab/artifacts/admin.conf", Context: "admin@lab", Inventory: "inventory/lab/inventory.ini", Checkout: "/src/kubespray"}
	health := passed("api-server.health", "https://10.40.0.11:6443 is ready")
	top := passed("metrics-server.node-coverage", "fresh metrics of all 2 Ready nodes (after 34s)")
	top.Details = []string{"NAME   CPU(cores)   CPU(%)", "w1     400m         10%"}

	docs := map[string]Document{
		"ok":     {Command: "surespray verify", Cluster: lab, Results: []verify.Result{health, top}},
		"broken": {Command: "surespray verify", Cluster: lab, Results: append([]verify.Result{health}, broken()...)},
		"unknown": {Command: "surespray verify", Cluster: lab, Results: []verify.Result{
			{ID: "api-server.health", Title: "The API server answers and is ready", Verdict: verify.VerdictUnknown, Cause: "api-unreachable", Summary: "the API server https://10.40.0.11:6443 cannot be asked: connection refused", Evidence: []string{"dial tcp 10.40.0.11:6443: connect: connection refused"}, Fix: []string{"on a control plane: systemctl status kubelet"}},
			consequence("nodes.ready", "api-server.health"), consequence("metrics-server.apiservice", "api-server.health"),
			{ID: "metrics-server.hpa", Verdict: verify.VerdictSkip, Summary: "no check yet", Evidence: []string{}, Fix: []string{}},
		}},
		"cancelled": {Command: "surespray run", Plan: plan(), Ansible: cancelled(), Exit: Exit{Code: 130, Category: "cancelled"}},
		"failed":    {Command: "surespray run", Plan: plan(), Ansible: failed(), Exit: Exit{Code: 2, Category: "playbook"}},
		"changes":   {Command: "surespray addon apply", Ansible: &Ansible{Class: "ok", Summary: "ran"}, Changes: changes(), Leftover: leftovers()},
		"planned":   {Command: "surespray addon apply", Plan: planned(), Exit: Exit{Category: "ok"}},
		"findings":  {Command: "surespray audit", Findings: findings(), Exit: Exit{Code: 65, Category: "audit"}},
		"usage":     {Command: "surespray run", Exit: Exit{Code: 64, Category: "usage", Message: "the tag \"metric\" is not in this checkout", Next: "surespray addon list"}},
	}
	for _, name := range []string{"ok", "broken", "unknown"} {
		d := docs[name]
		d.Exit = Judge(d.Results)
		d.Started = time.Date(2026, 5, 4, 9, 10, 0, 0, time.UTC)
		docs[name] = d
	}
	return docs
}

func changes() []Change {
	return []Change{
		{Addon: "cert-manager", Kind: "Namespace", Name: "cert-manager", Change: "re-created"},
		{Addon: "cert-manager", Kind: "Secret", Namespace: "cert-manager", Name: "ca", Change: "gone"},
		{Addon: "cert-manager", Kind: "ConfigMap", Namespace: "cert-manager", Name: "x", Change: "unknown"},
		{Addon: "local-path-provisioner", Kind: "StorageClass", Name: "local-path", Change: "unchanged"},
		{Addon: "metallb", Kind: "Deployment", Namespace: "metallb-system", Name: "controller", Change: "created"},
		{Addon: "metallb", Kind: "DaemonSet", Namespace: "metallb-system", Name: "speaker", Change: "created"},
		{Addon: "metrics-server", Kind: "Deployment", Namespace: "kube-system", Name: "metrics-server", Change: "changed", Fields: []string{
			"metadata.labels[app.kubernetes.io/name]", "spec.replicas", "spec.template.spec.containers[metrics-server].args", "spec.template.spec.containers[metrics-server].image", "spec.template.spec.tolerations",
		}},
		{Addon: "metrics-server", Kind: "Service", Namespace: "kube-system", Name: "metrics-server", Change: "unchanged"},
		{Addon: "registry", Kind: "ReplicaSet", Namespace: "kube-system", Name: "registry", Change: "unchanged"},
	}
}

func leftovers() []Leftover {
	return []Leftover{
		{Addon: "argocd", Kind: "Deployment", Namespace: "argocd", Name: "argocd-server", Switch: "argocd_enabled is false, as by default"},
		{Addon: "ingress-nginx", Kind: "DaemonSet", Namespace: "ingress-nginx", Name: "controller", Switch: "ingress_nginx_enabled is false"},
		{Addon: "ingress-nginx", Kind: "Deployment", Namespace: "ingress-nginx", Name: "backend", Switch: "ingress_nginx_enabled is false"},
	}
}

func passed(id, summary string) verify.Result {
	return verify.Result{ID: id, Title: "title of " + id, Verdict: verify.VerdictPass, Summary: summary, Evidence: []string{}, Fix: []string{}, Attempts: 1, TookMS: 12}
}

func consequence(id, of string) verify.Result {
	return verify.Result{ID: id, Title: "title of " + id, Verdict: verify.VerdictSkip, CausedBy: of, Summary: "not looked at, because of " + of, Evidence: []string{}, Fix: []string{}}
}

func broken() []verify.Result {
	out := []verify.Result{{
		ID: "metrics-server.apiservice", Title: "The metrics API is available", Verdict: verify.VerdictFail, Cause: "kubelet-cert-no-san", On: []string{"w1", "w3"},
		Summary:  "the metrics API is not available: w1, w3 show a kubelet certificate without the node's address (no IP SAN)",
		Evidence: []string{"APIService v1beta1.metrics.k8s.io: Available=False MissingEndpoints: no addresses", "log: x509: cannot validate certificate for 10.40.0.21 because it doesn't contain any IP SANs"},
		Fix:      []string{"set kubelet_rotate_server_certificates: true, surespray run cluster.yml, and verify again", "set metrics_server_kubelet_insecure_tls: true and surespray addon apply metrics-server"}, Attempts: 3, TookMS: 2100,
	}, consequence("metrics-server.pod", "metrics-server.apiservice"), consequence("metrics-server.log", "metrics-server.apiservice")}
	for i := range 5 {
		n := fmt.Sprintf("w%d", i+1)
		out = append(out, verify.Result{
			ID: "nodes.ready", Subject: n, Of: 620, Title: "Every node is Ready", Verdict: verify.VerdictFail, Cause: "kubelet-stopped",
			Summary: n + " is not Ready: its kubelet does not report", Evidence: []string{"node " + n + ": Ready=Unknown"}, Fix: []string{"on the node: systemctl status kubelet"},
		})
	}
	return append(out, verify.Result{
		ID: "api-server.identity", Title: "The cluster is this inventory's", Verdict: verify.VerdictWarn, Cause: "partial-match", Summary: "3 of 4 hosts of the inventory are nodes", Evidence: []string{"hosts that are no node: w4"}, Fix: []string{},
	})
}

func findings() []Finding {
	first, second := 0, 1
	return []Finding{
		{Severity: "error", Code: "string-boolean", Key: "helm_enabled", Message: `helm_enabled is the text "true", and a condition must be a boolean`, File: "inventory/lab/group vars/all.yml", Line: 12, Fix: "write helm_enabled: true"},
		{Severity: "error", Code: "string-boolean", Key: "metallb_enabled", Message: `metallb_enabled is the text "false", which counts as true`, Arg: &first, Fix: "write -e metallb_enabled=false"},
		{Severity: "warning", Code: "hazard", Detail: "cert-manager-namespace", Message: "the role deletes the namespace cert-manager first", Accepted: "no certificates yet", Fix: "surespray explain cert-manager-namespace"},
		{Severity: "warning", Code: "not-audited-encrypted", Message: "/etc/lab/secrets.yml is encrypted as a whole, so nothing in it was checked", File: "/etc/lab/secrets.yml", Arg: &second},
		{Severity: "info", Code: "trade", Key: "kube_proxy_mode", Message: "ipvs is the default of this release"},
	}
}

func planned() *Plan {
	p := plan()
	p.Tags = []string{"calico", "network", "download"}
	p.Added = []AddedTag{{"network", "network_plugin/cni, which goes before calico, is not selected by the tag calico"}, {"download", "calico takes files of the download role, which does not run under calico"}}
	p.Roles = []PlannedRole{
		{Role: "download", Play: "Prepare for etcd install", When: []string{"not skip_downloads"}, Tasks: 34, Names: []string{"Download | Prepare working directories", "Download | Get kubeadm binary"}},
		{Role: "network_plugin/calico", Play: "Install a CNI", When: []string{"kube_network_plugin != 'none'", "(kube_network_plugin) == 'calico'"}, Tasks: 1, Names: []string{"Calico | Install calicoctl"}},
	}
	p.Always = []PlannedRole{{Play: "Check Ansible version", Tasks: 2}, {Role: "validate_inventory", Play: "Inventory", Tasks: 26}}
	return p
}

func plan() *Plan {
	return &Plan{Argv: []string{"ansible-playbook", "-i", "inventory.ini", "/src/kubespray/cluster.yml"}, Dir: "/home/me/lab"}
}

func cancelled() *Ansible {
	return &Ansible{
		ExitCode: -1, Class: "cancelled", Summary: `cancelled at task "download | Download files"; 12 tasks ran in 2 plays`, LastTask: "download | Download files", TookMS: 61000,
		Plays: []Play{{Name: "Gather facts", Tasks: 4}, {Name: "Download", Tasks: 8}, {Name: "calico_rr", NoHosts: true}},
	}
}

func failed() *Ansible {
	return &Ansible{
		ExitCode: 2, Class: "failed", Summary: `task "metrics-server | Apply" failed on cp1; 53 tasks ran in 4 plays`,
		Hosts:    map[string]Host{"cp1": {OK: 20, Changed: 2, Failed: 1}, "w1": {OK: 30, Changed: 1}, "w2": {OK: 30}},
		Failures: []Failure{{Host: "cp1", Task: "metrics-server | Apply", Path: "roles/x/tasks/main.yml:12", Message: "error validating data:\nunknown field"}, {Host: "w1", Task: "try", Message: "no", Ignored: true}},
	}
}
