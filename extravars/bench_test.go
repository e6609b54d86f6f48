package extravars

import (
	"fmt"
	"testing"
)

func name(i int, end string) string {
	return fmt.Sprintf("addon_%04d_setting_%04d_%s", i, i*7919%10000, end)
}

// many returns a thousand arguments of the usual forms, and a schema as large as a
// checkout's.
func many() ([]string, Schema) {
	s := schema{}
	for i := range 1500 {
		s[name(i, "enabled")] = []Type{Bool, Int, String, List}[i%4]
	}
	args := make([]string, 1000)
	for i := range args {
		switch i % 5 {
		case 0:
			args[i] = name(i/4*4, "enabled=true")
		case 1:
			args[i] = name(i, "enabeld=true")
		case 2:
			args[i] = fmt.Sprintf(`variable_of_my_own_number_%04d="a b" other_%d={{ x | default('y z') }}`, i, i)
		case 3:
			args[i] = fmt.Sprintf(`{"%s": true, "x": [1, "two", null]}`, name(i, "enabled"))
		default:
			args[i] = name(i/4*4+2, "enabled=1.30")
		}
	}
	return args, s
}

func BenchmarkParse1000(b *testing.B) {
	args, s := many()
	for b.Loop() {
		if _, err := Parse(args, s, nil); err != nil {
			b.Fatal(err)
		}
	}
}
