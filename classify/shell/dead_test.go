package shell

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatNeverRunsIsNoCommand(t *testing.T) {
	for text, want := range map[string]string{
		"false && pytest; true":                         "false:sequence true:seen",
		"true || pytest":                                "true:or-else",
		": || pytest && make":                           "::or-else make:seen",
		"! true && pytest":                              "true:seen",
		"false || pytest":                               "false:or-else pytest:seen",
		"true && pytest":                                "true:seen pytest:seen",
		"false && make || pytest":                       "false:or-else pytest:seen",
		"if false; then pytest; else make; fi":          "false:condition make:seen",
		"if true; then pytest; else make; fi":           "true:condition pytest:seen",
		"if false; then a; elif true; then b; fi":       "false:condition true:condition b:seen",
		"while false; do pytest; done; ls":              "ls:seen",
		"until true; do pytest; done; ls":               "ls:seen",
		"while true; do pytest; done":                   "true:condition pytest:loop",
		"exit 0; pytest":                                "exit:seen",
		"(exit 0; pytest); make":                        "exit:sequence make:seen",
		"pytest || exit 1\nmake":                        "pytest:seen exit:seen make:seen",
		"t() { exit 1; pytest; }; t":                    "exit:seen",
		"bash -n -c pytest":                             "bash:seen",
		"bash -nc pytest":                               "bash:seen",
		"bash -norc -c pytest":                          "pytest:seen",
		"bash --norc -c pytest":                         "pytest:seen",
		"sh -ec 'pytest'":                               "pytest:seen",
		"exit_code=0; pytest; exit $exit_code # exit 0": "pytest:sequence exit:seen",
	} {
		assert.Equal(t, want, masks(t, text), text)
	}
}
