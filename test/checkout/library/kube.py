#!/usr/bin/python
# Copyright The surespray authors
# SPDX-License-Identifier: Apache-2.0
"""Apply a manifest, or a directory of them, with kubectl.

As with Kubespray's module of this name, the answer is never "changed": the recap of
a run says nothing about what happened in the cluster.
"""
import os

from ansible.module_utils.basic import AnsibleModule


def main():
    module = AnsibleModule(
        argument_spec=dict(
            kubectl=dict(type="path", required=True),
            kubeconfig=dict(type="path", required=True),
            filename=dict(type="path", required=True),
        ),
        supports_check_mode=True,
    )
    p = module.params
    if not os.path.exists(p["filename"]):
        module.fail_json(msg="no manifest at %s" % p["filename"])
    if module.check_mode:
        module.exit_json(changed=False, msg="would apply %s" % p["filename"])
    argv = [p["kubectl"], "--kubeconfig", p["kubeconfig"], "apply", "--force", "-f", p["filename"]]
    rc, out, err = module.run_command(argv)
    if rc != 0:
        module.fail_json(msg="kubectl apply failed: %s" % (err.strip() or out.strip()), rc=rc, stdout=out, stderr=err)
    module.exit_json(changed=False, stdout=out, stderr=err)


if __name__ == "__main__":
    main()
