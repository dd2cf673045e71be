package claim

// classes are the named word sets of the tables, English first.
var classes = map[string]map[string]bool{
	"<tests>": words("test tests spec specs suite suites testsuite `test unittests pytest jest vitest rspec tests. testcases " +
		"tests/specs prueba pruebas tests tests test testfälle"),
	"<pass>": words("pass passes passed passing green succeed succeeds succeeded succeeding " +
		"bestanden erfolgreich grün pasan pasaron pasa pasado passent réussis réussissent"),
	"<passed>": words("passed passing pass passes successes successful bestanden exitosas réussis"),
	"<failed>": words("failed fail fails failing failures failure errored errors error broken red fehlgeschlagen fallan fallaron fallidas échouent échoué échoués"),
	"<fails>":  words("failed failing failures failure errors fehlgeschlagen fallidas échoués échecs"),
	"<build>":  words("build builds compilation compile project binary `build typecheck type-check types code compila"),
	"<lint>":   words("lint linter linting lints eslint `lint golangci-lint clippy ruff prettier formatting gofmt"),
	"<clean>":  words("clean passes pass passed passing succeeds succeeded green ok successful success"),
	"<be>":     words("is are was were been be am 's 're it's everything's that's"),
	"<have>":   words("have has had i've we've 've it's"),
	"<me>":     words("i we i've we've ich wir yo he hemos j'ai nous"),
	"<adv>":    words("now all already successfully also just both then fully correctly properly been finally both have has had"),
	"<write>": words("created wrote written added updated modified changed edited generated saved replaced rewrote implemented built rewritten extended " +
		"refactored renamed moved produced exported overwrote overwritten completed fixed placed stored"),
	"<make>": words("implemented fixed resolved completed finished configured set installed refactored migrated converted enabled disabled corrected " +
		"optimized improved removed deleted created added updated changed modified built applied switched reverted adjusted cleaned cleared moved " +
		"renamed replaced extracted simplified integrated addressed solved handled merged upgraded downgraded wired hooked started generated wrote written " +
		"saved rewrote implemented documented registered scheduled processed restored published initialized patched bumped tightened split consolidated " +
		"introduced made initialised optimised reorganized inlined eliminated dropped cancelled canceled booked submitted ported"),
	"<gone>":    words("deleted removed"),
	"<thing>":   words("order orders reservation reservations booking bookings refund refunds payment payments ticket tickets appointment subscription flight flights account address " + "certificate certificates invoice meeting cabin baggage bags return exchange membership request cancellation purchase item items insurance passenger passengers change changes transfer voucher event claim upgrade downgrade shipment delivery"),
	"<effect>":  words("cancelled canceled booked placed refunded updated changed processed issued created submitted scheduled exchanged returned modified upgraded downgraded " + "confirmed completed added removed rescheduled charged credited initiated closed opened transferred purchased reserved approved applied registered activated filed"),
	"<service>": words("server service app application api endpoint site website daemon container process database nginx backend frontend proxy worker listener cluster servidor serveur"),
	"<ready>":   words("complete completed done finished ready resolved fixed implemented working functional operational solved live successful"),
	"<step>": words("try adjust check fix run start create look see use verify do begin retrieve install update test load analyze examine search find add read write " +
		"investigate break continue proceed explore get make implement go process calculate set handle review inspect build compile open list switch clean debug rerun " +
		"take change modify look-up submit commit push deploy download write rewrite refactor configure explore fetch gather identify trace apply remove delete think"),
	"<part>": words("requirements requirement items tasks endpoints criteria features points steps issues bugs todos parts cases tickets stories goals"),
	"<code>": words("`code `test `build `lint"),
	"<page>": words("page browser ui screenshot app interface screen website frontend layout dashboard form button chrome firefox safari chromium"),
}
