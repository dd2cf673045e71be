package criteria

import (
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
)

// Criterion is one thing that has to hold for the work to be done.
type Criterion struct {
	Name  string
	Check string // what proves it; "" for none
}

// Contract is what one document says.
type Contract struct {
	Criteria []Criterion
	Titled   bool   // it calls itself a contract, or says what done means
	Sprint   bool   // it calls itself a sprint contract
	By       string // who wrote it, as it says itself
	Agreed   int    // how many roles it names as having agreed
	Maps     bool   // it names a check for one criterion at least
}

// Unmapped are the criteria without a check.
func (c *Contract) Unmapped() (out []Criterion) {
	for _, k := range c.Criteria {
		if k.Check == "" {
			out = append(out, k)
		}
	}
	return out
}

// longest bounds a text that is read, in bytes; mostCriteria a list.
const (
	longest      = 1 << 18
	mostCriteria = 500
)

// titles are lines by which a document says what it is.
var (
	title  = phrase.MustCompile(`(?im)(?:^[\s#>*_-]*|["'])[^\n"]{0,40}\b(?:sprint[ _-]?contract|(?:acceptance|done)[ _-]criteria|definition of done|done means|abnahmekriterien|criterios de aceptación|critères d'acceptation)\b|验收标准|受け入れ基準`)
	sprint = phrase.MustCompile(`(?i)sprint[ _-]?contract`)
)

// Read reads a document. ok is false when it holds no list of criteria.
func Read(text string) (c Contract, ok bool) {
	if len(text) > longest {
		return c, false
	}
	c.Titled, c.Sprint = title.MatchString(text), sprint.MatchString(text)
	if readData(text, &c) || readTable(text, &c) || readLines(text, &c) {
		for i := range c.Criteria {
			c.Criteria[i].Check = named(c.Criteria[i].Check)
			c.Maps = c.Maps || c.Criteria[i].Check != ""
		}
		return c, len(c.Criteria) > 0
	}
	return c, false
}

// nothing matches a check that is none.
var nothing = phrase.MustCompile(`(?i)^[\s(<\[_*"'` + "`" + `-]*(?:none|null|nil|n/?a|tbd|todo|open|unknown|missing|\?+|—|–|keine?|offen|ninguno|ninguna|aucune?|无|没有|なし)?[\s)>\]_*"'` + "`" + `.?-]*$`)

// named is the check that a text names, "" for none.
func named(check string) string {
	check = strings.TrimSpace(check)
	if nothing.MatchString(check) {
		return ""
	}
	return check
}

// Words that head the columns or label the parts of a criterion.
var (
	criterionHead = phrase.MustCompile(`(?i)\b(?:criterion|criteria|requirement|done when|kriterium|kriterien|criterio|critère)\b|标准|基準`)
	checkHead     = phrase.MustCompile(`(?i)\b(?:checks?|checked by|tests?|verif\w+|proof|proved by|command|prüfung|geprüft|comprobación|vérification)\b|检查|検証`)
	checkLabel    = phrase.MustCompile(`(?i)(?:^|[\s.;,(—–-])(?:checks?|checked by|tests?|tested by|verify|verified by|verification|proof|prüfung|geprüft durch|comprobación|vérification|检查|検証)\s*[:：]\s*(.*)$`)
)

// readTable reads a Markdown table with a column of criteria and one of checks.
func readTable(text string, c *Contract) bool {
	criterion, check, columns := -1, -1, 0
	for line := range strings.Lines(text) {
		cells := cellsOf(line)
		switch {
		case cells == nil:
			criterion = -1
		case criterion < 0:
			criterion, check, columns = -1, -1, len(cells)
			for i, cell := range cells {
				switch {
				case criterion < 0 && criterionHead.MatchString(cell):
					criterion = i
				case check < 0 && checkHead.MatchString(cell):
					check = i
				}
			}
			if check < 0 {
				criterion = -1
			}
		case strings.Trim(line, "|:- \t\r\n") == "":
		case len(cells) == columns && len(c.Criteria) < mostCriteria:
			c.Criteria = append(c.Criteria, Criterion{Name: cells[criterion], Check: cells[check]})
		}
	}
	return len(c.Criteria) > 0
}

func cellsOf(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 3 || line[0] != '|' {
		return nil
	}
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// item matches an item of a list and what stands in it.
var item = phrase.MustCompile(`^\s*(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s*)?(.+?)\s*$`)

// readLines reads a list under a title, where one item at least names its check.
func readLines(text string, c *Contract) bool {
	if !c.Titled {
		return false
	}
	labelled := false
	var out []Criterion
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := item.FindStringSubmatch(line)
		label := checkLabel.FindStringSubmatchIndex(line)
		switch {
		case label != nil && m != nil && label[0] > len(line)-len(strings.TrimLeft(line, " \t-*+•"))+1:
			out = append(out, Criterion{Name: strings.TrimSpace(line[:label[0]]), Check: line[label[2]:label[3]]})
			labelled = true
		case label != nil && len(out) > 0: // on a line of its own below the item
			out[len(out)-1].Check = line[label[2]:label[3]]
			labelled = true
		case m != nil && len(out) < mostCriteria:
			out = append(out, Criterion{Name: m[1]})
		}
	}
	if !labelled {
		return false
	}
	c.Criteria = out
	return true
}
