package extravars

import "strings"

// Mask stands for a value that must not be shown.
const Mask = "***"

// LooksSecret reports whether a variable's name says that its value is not for other
// people's eyes. It errs on the careful side.
func LooksSecret(name string) bool {
	lower := strings.ToLower(name)
	for _, word := range []string{
		"password", "passwd", "passphrase", "secret", "token", "credential", "private_key", "privatekey", "private-key",
		"apikey", "api_key", "api-key", "access_key", "access-key", "accesskey", "auth_key", "bearer", "kubeconfig", "htpasswd",
	} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	for part := range strings.FieldsFuncSeq(lower, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		switch part {
		case "pass", "pwd", "pw", "pat", "pin", "otp", "dsn", "sas", "key", "keys", "psk", "auth", "cred", "creds", "salt":
			return true
		}
	}
	return false
}

// masked returns v, or the mask where the name or a name inside looks secret.
func masked(name string, v any) any {
	if LooksSecret(name) {
		return Mask
	}
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = masked("", item)
		}
		return out
	case Mapping:
		return v.Masked()
	}
	return v
}

// Masked returns a copy for showing: the mask stands for every value, at any depth, whose
// name looks secret.
func (m Mapping) Masked() Mapping {
	if m == nil {
		return nil
	}
	out := make(Mapping, len(m))
	for i, p := range m {
		name, _ := p.Key.(string)
		out[i] = Pair{p.Key, masked(name, p.Value)}
	}
	return out
}
