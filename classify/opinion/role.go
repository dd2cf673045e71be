package opinion

import "strings"

// Words that name who judges work and who plans it, lower case; a language is
// added by adding rows. A role is named by one of them in an agent's or tool's
// name, or in a member of data that says who speaks.
var (
	evaluatorWords = []string{
		"evaluator", "evaluate", "grader", "judge", "critic", "assessor", "reviewer", "qa",
		"evaluador", "évaluateur", "evaluateur", "gutachter", "prüfer", "评估", "评审", "評価者", "審査",
	}
	plannerWords = []string{"planner", "planer", "planificador", "planificateur", "规划", "计划者", "計画者"}
)

// Evaluator reports that a name is that of one who judges work.
func Evaluator(name string) bool { return holds(name, evaluatorWords) }

// Planner reports that a name is that of one who plans it.
func Planner(name string) bool { return holds(name, plannerWords) }

// holds reports that a name holds one of the words as a part of its own.
func holds(name string, words []string) bool {
	name = strings.ToLower(name)
	for _, w := range words {
		for from := 0; ; {
			i := strings.Index(name[from:], w)
			if i < 0 {
				break
			}
			i += from
			if !letterAt(name, i-1) && !letterAt(name, i+len(w)) || w[0] >= 0x80 {
				return true
			}
			from = i + len(w)
		}
	}
	return false
}

func letterAt(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= 'a' && s[i] <= 'z' }
