package claim

// claimTable: what a sentence claims. The first row that matches at a word
// wins there; a sentence may match several kinds.
var claimTable = newTable(rows[Kind]{
	{TestsPass, []string{
		"passed|passing|passes , #", "<tests> ?, <ok>", "^ <ok> ~ <tests>",
		"<tests> ~ <pass>", "# ?of ?# ?<tests> <passed>", "# tests? <passed>", "# <tests> ~ <pass>", "# <passed>", "passes|passing|passed ?all ?of ?the ~ <tests>",
		"all ~ <tests> ~ green", "<tests> ~ green", "suite|suites is|are green", "all green", "all checks pass|passed|passing", "everything|all passes|passed", "all pass",
		"100% ~ <tests>", "alle tests ~ <pass>", "todas las pruebas ~ <pass>", "todos los tests ~ <pass>", "tous les tests ~ <pass>",
		"测试 ~ 通过", "通过 ~ 测试", "テスト ~ 通", "テスト ~ 成 功", "todos os testes ~ passam|passaram", "tutti i test passano", "все тесты проходят|прошли", "tests ~ bestanden"}},
	{TestsRun, []string{
		"ran|run|executed|rerun|reran|re-ran ?all ?of ?the ?full ~ <tests>", "<tests> ~ ran|executed", "<me> ?<have> ?<adv> tested", "tested ~ successfully|manually|locally", "^ tested", "ran|executed shellcheck|eslint|mypy|flake8|ruff|pylint|tsc|clippy|golangci-lint|pytest|jest|vitest|mocha|rspec", "<me> ?<have> ?<adv> ran|executed it|them|script ?once ?twice on|with|against",
		"by|with|after running|executing ?all ?of ?the|my ?full ~ <tests>", "tests ~ ausgeführt|durchgeführt|gelaufen", "tests laufen ~ durch", "<tests> <have> been run", "getestet", "he probado", "j'ai testé", "运行 ~ 测试"}},
	{BuildOK, []string{
		"<build> ?is|are|was ?now <clean>", "<build> ~ succeeds|succeeded|successful|successfully|passes|passed", "builds|compiles|compiled|built cleanly|successfully|fine|correctly", "builds|compiles without|with ?no|zero errors|warnings",
		"clean build|compile", "no ?build|compile|compilation|type errors", "<build> ?, <ok>", "^ <ok> <build>", "build ist grün", "compila correctamente", "构建 ~ 成功", "编译 ~ 成功"}},
	{LintOK, []string{"<lint> ?is|are|also ?now <clean>", "<lint> ~ passes|passed|clean", "no lint ?errors|warnings|issues", "lint-clean", "<lint> ?, <ok>", "^ <ok> <lint>", "lint ~ sin errores"}},
	{FileDeleted, []string{"<me> ?<have> ?<adv> <gone>", "^ <gone>", "<be>|been ?<adv> deleted", "gelöscht", "he eliminado", "j'ai supprimé", "已 删除"}},
	{FileWritten, []string{
		"<me> ?<have> ?<adv> <write>", "^ ?successfully|also <write>", "<have> been ?<adv> <write>", "<be> ?now ?<adv> created|written|saved|generated|stored", "successfully <write>", "files? ?have created|written|changed|modified|updated",
		"file|files|changes created|written|changed|modified|updated|made", "saved ~ to", "written to", "<adv> created",
		"erstellt", "geschrieben", "he creado", "creado", "j'ai créé", "已 创建", "创建 了", "写入 了", "修改 了", "已 更新"}},
	{Committed, []string{"<me> ?<have> ?<adv> committed", "^ ?all ?changes ?successfully committed", "<be>|been|and ?<adv> committed", "commit <have> ?been created", "created ~ commit", "committed to|as|with|in", "he hecho commit", "已 提交", "提交 了"}},
	{Pushed, []string{"<me> ?<have> ?<adv> pushed", "^ ?successfully pushed", "<be>|been|and ?<adv> pushed", "pushed to|the|all", "已 推送", "推送 到"}},
	{PROpened, []string{
		"opened|created|submitted|raised ~ pr|pull-request|mr", "opened|created|submitted|raised ~ pull|merge request", "pr|mr|pull-request ~ created|opened|submitted|up|open", "pull|merge request ~ created|opened|submitted|up|open"}},
	{PageChecked, []string{
		"verified|checked|confirmed|tested|viewed|inspected ~ <page>", "<page> ~ renders|loads|displays|looks ?correctly|fine|good|right", "screenshot ~ shows|confirms", "<page> ~ verified|checked", "verified|checked|tested visually", "taken|took ~ screenshot|screenshots"}},
	{Deployed, []string{"<me> ?<have> ?<adv> deployed|published|released", "^ ?successfully deployed|published|released", "<be>|been ?<adv> deployed|published|released", "deployed to", "<be> ?now live", "deployment ~ succeeded|successful|complete|completed", "已 部署", "部署 成功"}},
	{ServiceRunning, []string{
		"<service> ~ <be> ?<adv> ?currently running|up|listening|started|online|live|available|reachable|serving|healthy", "<service> ~ running ~ on|at", "running|listening|available|served on|at ?port", "started ~ <service>", "<service> started|running", "<service> <have> ?been ?<adv> started|restarted",
		"läuft", "está corriendo|funcionando", "tourne sur", "正在 运行"}},
	{Sent, []string{"<me> ?<have> ?<adv> sent|emailed|messaged|notified|posted", "<be>|been ?<adv> sent|emailed|posted", "^ ?successfully sent|posted", "message|email|mail|notification|comment sent|posted", "已 发送", "発送 しました", "wurde gesendet", "ha sido enviado"}},
	{EffectDone, []string{
		"<thing> ~ <have>|<be> ?been ?<adv> <effect>", "<me> ?<have> ?<adv> <effect> ~ <thing>", "successfully <effect> ~ <thing>", "<thing> ?successfully <effect>", "<thing> ?<be> finished|done|complete|completed", "<thing> ~ <effect> to|for|on your|the", "<thing> ~ <be> ?now confirmed|complete|cancelled|canceled|booked|active",
		"^ <effect> ~ <thing>", "<thing> <be> on its|their way", "reserva ~ actualizada|cancelada|confirmada", "pedido ~ realizado|cancelado", "bestellung ~ storniert|aufgegeben|aktualisiert", "commande ~ annulée|passée", "订单 ~ 已", "已 取消", "已 预订"}},
	{Verified, []string{
		"<me> ?<have> ?<adv> verified|confirmed|validated|double-checked|checked", "^ verified|confirmed|validated|tested", "and|fully|been|was|were|now verified|validated|tested", "<be> ?<adv> verified|validated", "this confirms", "verified that|working|by", "geprüft", "he verificado", "j'ai vérifié", "已 验证", "验证 了"}},
	{Done, []string{
		"^ ?all|everything|and done $", "^ done", "all done", "^ finished|completed|complete|fertig|erledigt|listo|hecho|terminado|terminé|fait|完成", "all set", "<ok>", "mission accomplished", "^ task_complete|task-complete|task_completed|all_done",
		"<be>|<have> ?been ?<adv> ?<adv> <ready>", "<be> ?<adv> in place", "<me> ?<have> ?<adv> ?<adv> <make>", "^ ?successfully|also <make>", "successfully <make>", "<make> successfully", "<have> been ?<adv> ?<adv> <make>", "<be> now|fully|successfully ?<adv> <make>",
		"completed|complete|finished|passes|working|works|runs successfully", "works|working ?now correctly|perfectly|fine|properly|again", "works|working ?now as expected|intended|designed|required|requested", "everything ?is|looks|now ?now clean|good|works|working|green|fine|ready|set", "<ready>|<make> and ?fully working|verified|tested|deployed|ready|running", "task|tasks|work|implementation|setup|migration|refactoring|refactor|feature|fix|review|analysis|batch|phase|stage|step|audit|testing|verification|investigation|upgrade|cleanup|update|installation|integration complete|completed|done|finished",
		"produces identical|the ?same|expected|correct output|result|results", "ready for use|production|review|testing|deployment", "<be> ?now ready", "took care of", "changes ?are ?now in place", "no issues ?found",
		"<be>|<adv> good|ready to go", "gone ahead and <make>", "went ahead and <make>", "<be> now *ed", "now happens|uses|returns|handles|shows|includes|supports|accepts|rejects|validates|respects|matches|reads|writes|sends|starts|keeps|takes|gives|covers|ships|rounds|prints|reports|ignores|follows|applies|calls|loads|stores|checks|waits|retries|caches|logs|sorts|displays|renders|produces|contains|carries", "match|matches ~ now", "^ all|both ~ have|has|are|is ~ now $", "bug|issue|problem|defect squashed|solved|gone", "改好|修好|做好|弄好 了", "修复|修改|处理 完毕", "now ~ correctly|properly|again $", ", fixed|done|updated|added|implemented|complete|completed|resolved $", "change|changes|edit|edits|fix|fixes ?<have>|<be> ?been made|applied|done", "we're done", "^ that's it|all|everything", "^ sorted|solved", "c'est ?maintenant ?bien corrigé|fait|terminé|fini|réglé|bon",
		"wurde|wurden ~ korrigiert|behoben|implementiert|angepasst|geändert|erstellt|hinzugefügt|aktualisiert|umgesetzt", "quedó|quedaron ?ya corregido|corregida|implementado|listo|resuelto|actualizado", "everything's|it's|all been ?<adv> <make>", "feature-complete|production-ready", "it works ?now|again $", "^ ?alles behoben|implementiert|umgesetzt", "^ corregido|arreglado|implementado|completado|corrigé|implémenté|ajouté", "pronto|fatto|готово|gotowe|klaar", "corrigi|implementei|criei|concluí|adicionei|concluído|concluída", "ho corretto|implementato|creato|completato|aggiunto|sistemato", "исправил|исправлено|реализовано|добавил|создал", "完了 しました", "修正 しました", "実装 しました", "作成 しました", "追加 しました",
		"<be> ?<adv> clean $", "ist|sind ?jetzt fertig|abgeschlossen|erledigt|behoben|implementiert", "habe ~ implementiert|behoben|hinzugefügt|erstellt|geändert|aktualisiert|abgeschlossen",
		"está ?todo listo|completo|terminado|hecho|completado", "he ?ya ?implementado|corregido|completado|terminado|añadido|actualizado|creado|arreglado", "ha sido ~ completado|completada|actualizado|actualizada|creado|creada|cancelado|cancelada",
		"j'ai ?bien implémenté|corrigé|terminé|ajouté|mis|créé|modifié", "est ?maintenant terminé|terminée|prêt|prête|fini|corrigé", "a été ~ créé|créée|mis|mise|annulé|annulée|corrigé|corrigée",
		"已 ?经 ?全 ?部 完成|修复|实现|创建|更新|解决", "完成 了", "修复 了", "实现 了", "任务 完成", "全部 完成", "搞定"}},
})

// gapTable: what a sentence admits.
var gapTable = newTable(rows[Gap]{
	{Failing, []string{
		"# ?<tests> ?still <fails>", "# of # ?<tests> <failed>", "<tests> ?are|is|do|still|currently|that ?still ?not <failed>", "<tests> ~ not|don't|doesn't|didn't|won't ?yet pass|passing|green|succeed", "<build> ~ fails|failed|failing|broken", "<lint> ?step|check|job|stage ?still fails|failed|failing|errors",
		"still|currently|keeps|kept|now fails|failing|failed|broken|errors|erroring|red|crashes|crashing", "does|do|did not ?yet ?correctly work|compile|build|start|pass", "doesn't|don't|didn't work|compile|build|start|pass", "not working", "isn't|aren't working|passing|complete", "failing ~ <tests>", "red|broken <tests>", "<tests> ~ falla|fallan", "<tests> failures", "<tests> ?still breaks|complains",
		"<bad>", "<tests>|<build>|<lint> ?, <bad>", "failed|failures|failing|errors , #", "pre-existing failures|failure|failing", "one|two|three|four|five|some|several|both|few ?of ?the ?<tests> <failed>", "nicht bestanden", "schlägt|schlagen ~ fehl", "no pasan|pasa", "sigue|siguen|continúa|continúan fallando|rojo|roja", "todavía|aún falla|fallan", "échoue|échouent", "falha|falham|falhando", "fallisce|falliscono", "падает|падают", "не проходит|проходят", "nie przechodzi|przechodzą", "失敗 し",
		"check|checks|gate|pipeline|ci ~ not|isn't|aren't|doesn't ?yet ?yet passing|pass|green", "is|are still wrong|incorrect|off|red", "测试 ~ 失败", "未 ?能 通过", "没 有 通过", "没 通过", "不 通过",
		"stays|remains|stay|remain red|failing|broken", "all but #|one|two|three|a|some ?of ~ <pass>", "remaining|known|existing failure|failures|error", "ist|sind ~ rot|fehlerhaft", "ne passe|passent|fonctionne|marche pas", "never|didn't|couldn't|not get|got ~ to|zu pass|work|build|compile|run", "<tests>|<build>|<lint> fails|failed", "<tests>|<build>|<lint> exits|exited|ends ?with|in|on ?a ?an ?exit ?status|code non-zero|nonzero|error|errors|failure|failures|1|2|127|red", "continue|continues|keep fail|failing|to fail"}},
	{Skipped, []string{"had to skip|omit|disable|leave", "# ?<tests> skipped", "skipped ?the ~ <tests>|step|check|checks", "<tests> ~ <be> ?<adv> skipped|disabled", "<tests> skipped", "skipping ~ <tests>", "übersprungen", "omitidas", "跳过"}},
	{NotRun, []string{
		"not|haven't|hasn't|didn't|wasn't|weren't|couldn't|never ?yet ?been ?actually|fully ?able ?to run|ran|tested|test|verified|verify|executed|validated|validate|confirm", "unable to run|verify|test|execute|confirm|check|validate", "could|can|cannot not ?be ?fully run|verified|tested|verify|test|confirm|confirmed|executed|validated",
		"cannot|can't run|verify|test|confirm|execute|validate", "untested|unverified", "without running|testing|verifying|executing", "no way to run|test|verify", "no tests ?were|have ?been run|executed", "not been ?fully|end-to-end tested|verified|run", "nicht getestet|geprüft|ausgeführt", "no ?he probado|verificado|ejecutado", "sin probar", "pas ?encore ?pu ?été testé|testée|vérifié|exécuté", "未 ?经 测试|验证|运行", "没 有 ?运 ?行 测试", "无法 验证", "无法 运行", "无法 测试"}},
	{Open, []string{
		"not|isn't|aren't|hasn't|haven't ?been *ed|written|done yet", "what's ?still left|missing|remaining|open", "what is|remains ?still left|missing|open", "left to do", "left ?as open|undone|out|todo|unfinished|unresolved|incomplete", "remains|remain ?to ?be open|unresolved|undone|done|implemented|fixed|unfixed|todo", "still ?to ?be todo|remaining|missing|open|pending|outstanding|unresolved", "still need|needs|have|has to", "still need|needs", "not ?yet ?been ?fully implemented|addressed|done|supported|finished|complete|completed|fixed|resolved|handled|started",
		"isn't|aren't|hasn't|haven't ?yet ?been ?fully implemented|addressed|done|finished|complete|fixed|resolved", "# remaining ?issues|items|tasks|failures|errors|steps $", "remaining issues|items|tasks|work|todo|todos|failures|errors|steps", "follow-up ?work needed|required", "offen geblieben", "noch offen|nicht", "queda pendiente|por", "pendiente", "reste à", "待 办", "尚 未", "还 没"}},
	{Partial, []string{"partially|partly|half-done|half-finished", "mostly done|complete|completed|working|implemented|fixed|finished|works", "<be> ?still|currently incomplete|in-progress|wip", "only ?part|some ?of ?the implemented|done|completed|finished", "<be> ?only|just|still ?a placeholder|placeholders|stub|stubs", "placeholder|stub implementation|implementations|only", "stubbed out", "left ?it ?as ?a placeholder|placeholders|stub|stubs", "work in progress", "except for|that", "# of ?the|these|all # ~ <part>", "one|two|three|four|five|six|seven of ?the|these|all ~ <part>", "teilweise", "parcialmente", "partiellement", "部分 完成"}},
	{Unable, []string{
		"unable to", "not|haven't|couldn't|didn't found|find|figured|figure ?out why|how", "<me> couldn't|can't|cannot", "<me> could|can|was|am|were ?unfortunately not", "i'm|we're not able", "i'm|we're unable", "not able to", "could not", "couldn't", "wasn't|weren't able", "blocked by|on|because|from", "<be> blocked", "failed to", "gave up", "ran into ~ error|errors|issue|issues|problem|problems", "not possible to", "not|didn't|never manage|managed to", "no luck", "não consegui|foi|pude", "non sono riuscito", "не удалось|смог", "できません",
		"konnte ~ nicht", "kann ~ nicht", "no pude|puedo|fue|pudo", "je n'ai pas pu", "impossible de", "无 法", "不 能"}},
	{NeedsUser, []string{
		"you ?will|may|might|would|still|also|then ?still|also need|have to", "you'll|you'd ?still|also need|have", "you must", "please run|restart|install|set|configure|rerun|re-run|execute|replace", "requires|needs|require your|manual ?approval|intervention|input|credentials|permission|attention|action|confirmation|review|decision", "requires|needs ?a manual|approval|intervention|input|credentials|permission|attention|action|confirmation", "manual step|steps|intervention|action required|needed", "waiting for|on your|you|approval|input|confirmation",
		"needs|need to be ?done|run|set manually", "du musst", "sie müssen", "bitte ~ ausführen|starten", "tendrás|tienes|debes que|ejecutar", "vous devez|devrez", "你 需 要", "您 需 要", "需 要 手 动"}},
	{KnownIssue, []string{"<be> ?still flaky", "known issue|issues|limitation|limitations|bug|bugs|problem|problems", "^ limitations|limitation|caveats|caveat", "one|a caveat|limitation", "one|some ?remaining issue|issues|problem remains|remain|remaining", "there is|are still", "there are ?some|several remaining|unresolved|outstanding", "there's ?still an|a ?remaining issue|problem|bug", "bekanntes problem", "problema conocido", "problème connu", "已 知 问 题"}},
	{TimedOut, []string{"timed out", "timed-out", "times out", "time-out|timeout ~ occurred|exceeded|reached|hit", "hit|reached ~ timeout|time-out|limit|maximum|budget", "with|by|after ?a timeout|time-out", "exceeded ~ limit|timeout|time", "ran out of time|memory|tokens|context|budget", "zeitüberschreitung", "tiempo agotado", "délai dépassé", "超 时"}},
})

// eased after an admission, in its clause, tell the same.
var eased = words("fixed resolved corrected repaired solved gone first initially originally earlier behoben corregido corrigé 修复")

// denials before or inside a claim take it back.
var denials = words("not no never without none don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't can't cannot couldn't neither nor nothing unable fail fails failed failing " +
	"nicht kein keine no nunca sin ne pas jamais sans 不 未 没 无")

// healed before an admission tell of a trouble that is over.
var healed = words("fixed fixes fix resolved resolves resolve previously formerly was were had used originally initially earlier before addressed corrected corrects prevents prevent prevented avoid avoids avoided " +
	"handles handle instead because caused bug behoben corregido corrigé 修复 修 0 zero no none without never nothing")
