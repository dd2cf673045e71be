package effect

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestToolClass(t *testing.T) {
	for _, tc := range []struct {
		name, args string
		class      Class
		verb       Verb
		resource   string
	}{
		{"create_order", `{"sku":"A1"}`, ExternalWrite, Create, "order"},
		{"createOrder", `{"sku":"A1"}`, ExternalWrite, Create, "order"},
		{"mcp__shop__create-order", `{"sku":"A1"}`, ExternalWrite, Create, "order"},
		{"shop_create_order", `{"sku":"A1"}`, ExternalWrite, Create, "order"},
		{"order_cancel", `{"order_id":"7"}`, ExternalWrite, Cancel, "order"},
		{"book_table", `{"day":"2030-01-01"}`, ExternalWrite, Book, "table"},
		{"cancel_late_booking", `{}`, ExternalWrite, Cancel, "late-reservation"},
		{"exchange_delivered_order_items", `{}`, ExternalWrite, Exchange, "order"},
		{"pay", `{"amount":3}`, ExternalWrite, Pay, "payment"},
		{"refund_order", `{"order_id":"7"}`, ExternalWrite, Return, "order"},
		{"issue_refund", `{"order_id":"7"}`, ExternalWrite, Create, "refund"},
		{"add_comment_to_issue", `{"body":"x"}`, ExternalWrite, Append, "issue-comment"},
		{"send_email", `{"to":"x"}`, ExternalWrite, Send, "email"},
		{"create_or_update_file", `{"owner":"o","repo":"r","path":"a.md"}`, ExternalWrite, Create, "file"},
		{"get_or_create_user", `{"email":"x"}`, ExternalWrite, Create, "user"},
		{"merge_pull_request", `{"number":3}`, ExternalWrite, Close, "pull-request"},
		{"execute_sql", `{"sql":"DELETE FROM orders WHERE id = 3"}`, ExternalWrite, Delete, "order"},
		{"graphql", `{"query":"mutation { createIssue(title: \"x\") { id } }"}`, ExternalWrite, Create, "issue"},
		{"http_request", `{"method":"POST","url":"https://api.shop.com/orders","body":{"a":1}}`, ExternalWrite, Create, "http:POST api.shop.com/orders"},

		{"get_order_status", `{"order_id":"7"}`, Read, Lookup, "order"},
		{"order_status", `{"order_id":"7"}`, Read, Lookup, "order"},
		{"list_orders", ``, Read, List, "order"},
		{"find_user_id_by_email", `{"email":"x"}`, Read, Search, "user"},
		{"calculate", `{"expression":"1+1"}`, Read, None, ""},
		{"transfer_to_human_agents", `{"summary":"x"}`, Read, None, ""},
		{"login", `{"user":"x"}`, Read, Login, ""},
		{"execute_sql", `{"sql":"select * from orders"}`, Read, Search, "order"},
		{"query", `{"query":"update on the orders of last week"}`, Read, Search, ""},
		{"cancel", `{"order_id":"7","user_id":"u"}`, ExternalWrite, Cancel, "order"},
		{"mcp__git__git_commit", `{"repo_path":"/w","message":"x"}`, LocalWrite, Create, "commit"},
		{"create_order", `"{\"sku\":\"A1\",\"host\":\"127.0.0.1\"}"`, LocalWrite, Create, "order"},
		{"query", `{"sql":"WITH o AS (SELECT 1) SELECT * FROM o"}`, Read, Search, "o"},
		{"graphql", `{"query":"query { issue(id: 3) { title } }"}`, Read, Lookup, ""},
		{"http_request", `{"method":"POST","url":"https://api.shop.com/orders/search","body":{"a":1}}`, Read, Lookup, "http:POST api.shop.com/orders/search"},
		{"http_request", `{"method":"post","url":"https://id.shop.com/oauth/token"}`, Read, Login, "http:POST id.shop.com/oauth/token"},
		{"create_order", `{"sku":"A1","dry_run":true}`, Read, Lookup, "order"},

		{"shipParcel", `{"parcelId":"P1"}`, ExternalWrite, Create, "parcel"},
		{"top_up_wallet", `{"wallet":"w1"}`, ExternalWrite, Pay, "wallet"},
		{"open_ticket", `{"title":"x"}`, ExternalWrite, Create, "ticket"},
		{"open_ticket", `{"ticket_id":"7"}`, ExternalWrite, Open, "ticket"},
		{"approve_and_pay", `{"bill":"b"}`, ExternalWrite, Pay, "payment"},
		{"http_post", `{"url":"https://api.shop.com/orders","json":{"a":1}}`, ExternalWrite, Create, "http:POST api.shop.com/orders"},
		{"run_python", `{"code":"1"}`, LocalWrite, Start, "python"},
		{"Bash", `{"command":"rm -rf /"}`, LocalWrite, None, ""},
		{"Read", `{"file_path":"/a"}`, Read, None, ""},
		{"TodoWrite", `{"todos":[]}`, LocalWrite, None, ""},
		{"WebFetch", `{"url":"https://x.com"}`, Read, None, ""},
		{"apply_patch", `*** Begin Patch`, LocalWrite, None, ""},
		{"mcp__filesystem__write_file", `{"path":"/w/a.txt"}`, LocalWrite, Set, "file"},
		{"create_order", `{"sku":"A1","base_url":"http://localhost:8080"}`, LocalWrite, Create, "order"},
		{"mcp__mock_shop__create_order", `{"sku":"A1"}`, LocalWrite, Create, "order"},
		{"frobnicate", `{"x":1}`, Unknown, None, ""},
		{"browser_click", `{"ref":"e1"}`, Unknown, None, ""},
		{"", ``, Unknown, None, ""},
	} {
		e := FromTool(tc.name, []byte(tc.args))
		assert.Equal(t, tc.class, e.Class, "%s %s: %+v", tc.name, tc.args, e)
		assert.Equal(t, tc.verb, e.Verb, "%s %s", tc.name, tc.args)
		assert.Equal(t, tc.resource, e.Resource, "%s %s", tc.name, tc.args)
		assert.True(t, e.Inferred)
	}
}

func TestRepeatableAndAppend(t *testing.T) {
	for name, want := range map[string][2]bool{ // repeatable, append
		"update_address": {true, false}, "delete_order": {true, false}, "create_order": {false, false},
		"pay_invoice": {false, false}, "post_message": {false, true}, "add_note": {false, true}, "set_status": {true, false},
		"return_delivered_order_items": {false, false}, "start_job": {false, false},
	} {
		e := FromTool(name, nil)
		assert.Equal(t, want, [2]bool{e.Repeatable, e.Append}, "%s: %+v", name, e)
	}
}

func TestIdentity(t *testing.T) {
	same := [][2]string{
		{`{"a":1,"b":"x"}`, `{"b":" x ","a":1.0}`},
		{`{"sku":"A","idempotency_key":"k1"}`, `{"sku":"A","idempotency_key":"k2"}`},
		{`{"order_id":"7","reason":"late"}`, `{"order_id":"7","reason":"no longer needed"}`},
		{`{"sku":"A","timestamp":"1"}`, `{"sku":"A","verbose":true}`},
		{`{"sku":"A","note":""}`, `{"sku":"A","note":null}`},
	}
	for _, p := range same {
		assert.True(t, SameIntent(FromTool("create_order", []byte(p[0])), FromTool("create_order", []byte(p[1]))), p)
	}
	other := [][2]string{
		{`{"sku":"A"}`, `{"sku":"B"}`},
		{`{"account":12345678901234567890}`, `{"account":12345678901234567891}`},
		{`{"description":"leak"}`, `{"description":"noise"}`}, // nothing else names it
		{`{"ids":["1","2"]}`, `{"ids":["1"]}`},
		{`{"text":"` + strings.Repeat("a", 2000) + `"}`, `{"text":"` + strings.Repeat("a", 2001) + `"}`},
	}
	for _, p := range other {
		assert.False(t, SameIntent(FromTool("create_order", []byte(p[0])), FromTool("create_order", []byte(p[1]))), p)
	}
	assert.False(t, SameIntent(FromTool("get_order", []byte(`{"id":1}`)), FromTool("get_order", []byte(`{"id":1}`))), "reads have no effect")
}

func TestOperationID(t *testing.T) {
	for _, tc := range [][3]string{
		{"create_order", `{"sku":"A","idempotencyKey":"k1"}`, "k1"},
		{"create_order", `{"sku":"A","request_id":"r1"}`, "r1"},
		{"create_order", `{"sku":"A","metadata":{"operation_id":"o1"}}`, "o1"},
		{"create_order", `{"sku":"A","request_id":"call_abc"}`, ""},
		{"approve_request", `{"request_id":"r1"}`, ""}, // the target itself
		{"http_request", `{"method":"POST","url":"https://a.shop.com/x","headers":{"Idempotency-Key":"k2"}}`, "k2"},
		{"create_order", `{"sku":"A"}`, ""},
	} {
		assert.Equal(t, tc[2], FromTool(tc[0], []byte(tc[1])).OperationID, tc)
	}
	assert.Contains(t, FromTool("approve_request", []byte(`{"request_id":"r1"}`)).Identity, "r1")
}

func TestUndo(t *testing.T) {
	tool := func(name, args string) Effect { return FromTool(name, []byte(args)) }
	cmd := func(line string) Effect { return FromCommand(strings.Fields(line), "")[0] }
	for _, tc := range []struct {
		a, b Effect
		want bool
	}{
		{tool("book_reservation", `{"user_id":"u1"}`), tool("cancel_reservation", `{"reservation_id":"r1"}`), true},
		{tool("create_order", `{"order_id":"1"}`), tool("cancel_order", `{"order_id":"2"}`), false},
		{tool("create_order", `{"sku":"1"}`), tool("cancel_pending_order", `{"order_id":"2"}`), true},
		{tool("create_order", `{}`), tool("delete_user", `{}`), false},
		{tool("create_order", `{}`), tool("get_order", `{}`), false},
		{tool("close_issue", `{"number":3}`), tool("reopen_issue", `{"number":3}`), true},
		{tool("create_payment", `{"amount":3}`), tool("refund_payment", `{"payment_id":"p"}`), true},
		{tool("start_instance", `{"instance_id":"i"}`), tool("stop_instance", `{"instance_id":"i"}`), true},
		{cmd("gh pr create --title x"), cmd("gh pr close 12"), true},
		{cmd("aws s3 mb s3://a"), cmd("aws s3 rb s3://a"), true},
		{cmd("aws s3 mb s3://a"), cmd("aws s3 rb s3://b"), false},
		{cmd("git stash push"), cmd("git stash drop"), true},
		{cmd("git tag v1"), cmd("git tag -d v1"), true},
		{cmd("curl -X POST https://a.shop.com/orders -d x"), cmd("curl -X DELETE https://a.shop.com/orders/7"), true},
		{cmd("curl -X POST https://a.shop.com/orders -d x"), cmd("curl -X DELETE https://a.shop.com/users/7"), false},
		{cmd("curl -X POST https://a.shop.com/orders -d x"), cmd("curl -X POST https://a.shop.com/orders/7/cancel"), true},
		{cmd("kubectl create deployment web --image x"), cmd("kubectl delete deployment web"), true},
		{cmd("helm install web ./chart"), cmd("helm uninstall web"), true},
	} {
		assert.Equal(t, tc.want, Undo(tc.a, tc.b), "%+v\n%+v", tc.a, tc.b)
	}
}

func TestReveals(t *testing.T) {
	tool := func(name, args string) Effect { return FromTool(name, []byte(args)) }
	cmd := func(line string) Effect { return FromCommand(strings.Fields(line), "")[0] }
	for _, tc := range []struct {
		read, write Effect
		want        bool
	}{
		{tool("list_orders", ``), tool("create_order", `{"sku":"A"}`), true},
		{tool("get_order_details", `{"order_id":"7"}`), tool("cancel_pending_order", `{"order_id":"7"}`), true},
		{tool("get_order_details", `{"order_id":"8"}`), tool("cancel_pending_order", `{"order_id":"7"}`), false},
		{tool("get_user_details", `{"user_id":"u"}`), tool("book_reservation", `{"user_id":"u"}`), true},
		{tool("get_user_details", `{"user_id":"v"}`), tool("book_reservation", `{"user_id":"u"}`), false},
		{tool("list_users", ``), tool("create_order", `{"sku":"A"}`), false},
		{tool("get_reservation_details", `{"reservation_id":"r"}`), tool("update_reservation_flights", `{"reservation_id":"r"}`), true},
		{tool("calculate", `{}`), tool("create_order", `{}`), false},
		{cmd("gh pr list"), cmd("gh pr create --title x"), true},
		{cmd("gh issue list"), cmd("gh pr create --title x"), false},
		{cmd("curl https://a.shop.com/orders?user=3"), cmd("curl -X POST https://a.shop.com/orders -d x"), true},
		{cmd("curl https://a.shop.com/users"), cmd("curl -X POST https://a.shop.com/orders -d x"), false},
		{cmd("kubectl get deployments"), cmd("kubectl create deployment web"), true},
		{cmd("aws s3 ls s3://b"), cmd("aws s3 cp a s3://b/a"), true},
	} {
		assert.Equal(t, tc.want, Reveals(tc.read, tc.write), "%+v\n%+v", tc.read, tc.write)
	}
}

func TestCommand(t *testing.T) {
	for _, tc := range []struct {
		line, stdin string
		class       Class
		verb        Verb
		resource    string
		local       string
	}{
		{"curl https://api.shop.com/orders", "", Read, Lookup, "http:GET api.shop.com/orders", ""},
		{"curl -sS -XPOST https://api.shop.com/orders -d a=1", "", ExternalWrite, Create, "http:POST api.shop.com/orders", ""},
		{"curl -k -j https://api.shop.com/orders", "", Read, Lookup, "http:GET api.shop.com/orders", ""},
		{"curl --unix-socket /run/x.sock -d a http://x.com/y", "", LocalWrite, Create, "http:POST x.com/y", "loopback"},
		{"curl --data a https://api.shop.com/orders", "", ExternalWrite, Create, "http:POST api.shop.com/orders", ""},
		{"curl -X PUT https://api.shop.com/orders/1 -d a", "", ExternalWrite, Set, "http:PUT api.shop.com/orders/1", ""},
		{"curl -d a http://localhost:3000/x", "", LocalWrite, Create, "http:POST localhost:3000/x", "loopback"},
		{"curl -d a http://[::1]:3000/x", "", LocalWrite, Create, "http:POST [::1]:3000/x", "loopback"},
		{"curl -d a http://10.1.2.3/x", "", LocalWrite, Create, "http:POST 10.1.2.3/x", "private address"},
		{"curl -d a http://web:3000/x", "", LocalWrite, Create, "http:POST web:3000/x", "container"},
		{"curl -d a https://example.com/x", "", ExternalWrite, Create, "http:POST example.com/x", ""},
		{"curl -d a $BASE/x", "", Unknown, Create, "http:POST $base/x", ""},
		{"wget --post-data a=1 https://api.shop.com/orders", "", ExternalWrite, Create, "http:POST api.shop.com/orders", ""},
		{"http POST :3000/x a=1", "", LocalWrite, Create, "http:POST localhost:3000/x", "loopback"},
		{"gh pr create --title x --body y", "", ExternalWrite, Create, "pull-request", ""},
		{"gh issue comment 3 --body y", "", ExternalWrite, Append, "issue-comment", ""},
		{"gh pr view 3", "", Read, Lookup, "pull-request", ""},
		{"gh api repos/o/r/issues -f title=x", "", ExternalWrite, Create, "http:POST api.github.com/repos/o/r/issues", ""},
		{"glab mr merge 3", "", ExternalWrite, Close, "pull-request", ""},
		{"sudo -u x env A=b git push -u origin main", "", ExternalWrite, Push, "git-ref", ""},
		{"git push ../bare.git main", "", LocalWrite, Push, "git-ref", "file"},
		{"git push --dry-run origin main", "", Read, Lookup, "git-ref", ""},
		{"aws s3 cp a s3://b/c", "", ExternalWrite, Set, "s3-object", ""},
		{"aws s3 cp s3://b/c a", "", Read, Lookup, "s3-object", ""},
		{"aws ec2 describe-instances", "", Read, Lookup, "ec2-instance", ""},
		{"aws --endpoint-url http://localhost:4566 s3 mb s3://b", "", LocalWrite, Create, "s3-bucket", "loopback"},
		{"gcloud compute instances create n1 --zone z", "", ExternalWrite, Create, "compute-instance", ""},
		{"az vm delete -g g -n n", "", ExternalWrite, Delete, "vm", ""},
		{"kubectl apply -f x.yaml", "", ExternalWrite, Set, "k8s/manifest", ""},
		{"kubectl --context kind-a delete pod web", "", LocalWrite, Delete, "k8s/pod", "container"},
		{"helm upgrade web ./chart", "", ExternalWrite, Deploy, "helm-release", ""},
		{"terraform plan", "", Read, Lookup, "infrastructure", ""},
		{"terraform apply -auto-approve", "", ExternalWrite, Deploy, "infrastructure", ""},
		{"psql -h db.shop.com", "insert into orders values (1)", ExternalWrite, Create, "order", ""},
		{"psql", "insert into orders values (1)", LocalWrite, Create, "order", "loopback"},
		{"psql postgres://u:p@db.shop.com/x", "select 1 from orders", Read, Search, "order", ""},
		{"sqlite3 a.db", "drop table orders", LocalWrite, Delete, "order", "file"},
		{"docker exec -it db psql", "drop table orders", LocalWrite, Delete, "order", "container"},
		{"npm publish", "", ExternalWrite, Push, "package", ""},
		{"npm publish --registry http://localhost:4873", "", LocalWrite, Push, "package", "loopback"},
		{"docker push ghcr.io/a/b:1", "", ExternalWrite, Push, "image", ""},
		{"docker push localhost:5000/a", "", LocalWrite, Push, "image", "loopback"},
		{"mail -s hi a@b.com", "hello", ExternalWrite, Send, "email", ""},
		{"scp a.txt me@host.com:/x", "", ExternalWrite, Set, "remote-file", ""},
		{"ssh host.com systemctl restart web", "", ExternalWrite, Start, "remote-host", ""},
		{"ssh host.com ls -la | head", "", Read, Lookup, "remote-host", ""},
		{"ssh host.com ./deploy.sh", "", ExternalWrite, Deploy, "remote-host", ""},
		{"ssh host.com ./tidy.sh", "", Unknown, None, "remote-host", ""},
		{"redis-cli set a 1", "", LocalWrite, Set, "redis-key", "loopback"},
		{"stripe charges create --amount 3", "", ExternalWrite, Create, "payment", ""},
	} {
		all := FromCommand(strings.Fields(tc.line), tc.stdin)
		require.Len(t, all, 1, tc.line)
		e := all[0]
		assert.Equal(t, tc.class, e.Class, "%s: %+v", tc.line, e)
		assert.Equal(t, tc.verb, e.Verb, tc.line)
		assert.Equal(t, tc.resource, e.Resource, tc.line)
		assert.Equal(t, tc.local, e.Local, tc.line)
	}
	for _, line := range []string{"", "ls -la", "go test ./...", "npm test", "npm install x", "docker build .", "git status", "A=b", "gh auth status", "psql -h db.shop.com", "curl --help"} {
		assert.Empty(t, FromCommand(strings.Fields(line), ""), line)
	}
}

func TestCommandIdentity(t *testing.T) {
	eff := func(line string) Effect { return FromCommand(strings.Fields(line), "")[0] }
	assert.True(t, SameIntent(eff("curl -X POST https://a.shop.com/x -d a=1"), eff("wget --method POST --body-data a=1 https://a.shop.com/x")))
	assert.False(t, SameIntent(eff("curl -X POST https://a.shop.com/x -d a=1"), eff("curl -X POST https://a.shop.com/x -d a=2")))
	assert.True(t, SameIntent(eff("curl -d a=1 -H Idempotency-Key:k1 https://a.shop.com/x"), eff("curl -d a=1 -H Idempotency-Key:k2 https://a.shop.com/x")))
	assert.Equal(t, "k1", eff("curl -d a=1 -H Idempotency-Key:k1 https://a.shop.com/x").OperationID)
	assert.Equal(t, "t1", eff("aws ec2 run-instances --image-id i --client-token t1").OperationID)
	assert.True(t, SameIntent(eff("git push origin main"), eff("git push -u origin main")))
	assert.False(t, SameIntent(eff("git push origin main"), eff("git push origin dev")))
	assert.False(t, SameIntent(eff("git push origin --delete a"), eff("git push origin --delete b")))
	assert.False(t, SameIntent(eff("git push --force-with-lease origin a"), eff("git push --force-with-lease origin b")))
	assert.Empty(t, eff("gh pr merge 3 --squash").Undoes)
	assert.True(t, SameIntent(eff("gh pr create --title x"), eff("gh pr create --title=x --web")))
}

func TestResultID(t *testing.T) {
	for in, want := range map[string]string{
		`{"order_id":"123","user_id":"u"}`:                        "order_id=123",
		`{"status":"ok","order":{"id":7}}`:                        "id=7",
		`{"user_id":"u"}`:                                         "user_id=u",
		`{"request_id":"r","payment_id":"p"}`:                     "payment_id=p",
		"Created https://code.example.com/a/b/pull/7\n":           "url=https://code.example.com/a/b/pull/7",
		"Order created. order id: 8841":                           "order_id=8841",
		`{"content":[{"type":"text","text":"{\"order_id\":9}"}]}`: "order_id=9",
		"ok": "", "": "", "{": "", "null": "",
	} {
		assert.Equal(t, want, ResultID(in), in)
	}
}

func TestBounded(t *testing.T) {
	big := strings.Repeat(`{"a":[`, 200_000)
	start := time.Now()
	FromTool("create_order", []byte(big))
	FromTool(strings.Repeat("create_", 100_000), []byte(`{"sql":"`+strings.Repeat("select ", 100_000)+`"}`))
	FromCommand([]string{"ssh", "host.com", strings.Repeat("ls;", 300_000)}, "")
	FromCommand([]string{"psql", "-c", strings.Repeat("'", 300_000)}, "")
	ResultID(strings.Repeat("order id ", 100_000))
	assert.Less(t, time.Since(start), 30*time.Second)
}

func FuzzFromTool(f *testing.F) {
	f.Add("create_order", `{"a":1}`, `{"order_id":"1"}`)
	f.Add("mcp__a__b", `[1,{"x":null}]`, "https://a.b/c")
	f.Add("graphql", `{"query":"fragment x on Y { z }\nmutation { a }"}`, "{")
	f.Add("sql", `{"sql":"explain analyze delete from \"x\" -- '"}`, "")
	f.Add("http", `{"method":"POST","url":"http://[::1","headers":{"a":1}}`, "id: 1")
	f.Fuzz(func(t *testing.T, name, args, result string) {
		e := FromTool(name, []byte(args))
		if e.Class == "" || e.Verb == "" {
			t.Fatalf("no class or verb: %+v", e)
		}
		if e.isWrite() && !SameIntent(e, FromTool(name, []byte(args))) {
			t.Fatal("not deterministic")
		}
		Undo(e, e)
		Reveals(e, e)
		ResultID(result)
	})
}

func FuzzFromCommand(f *testing.F) {
	for _, s := range []string{"curl -sXPOST http://x -d @-", "gh api x -f a=b", "git push origin :x", "aws s3 cp a s3://b", "kubectl delete pod/x -n", "psql -c", "docker exec a psql", "ssh a b", "npm publish --dry-run", "http x a:=1", "redis-cli x", "git -C /x push"} {
		f.Add(s, "select 1")
	}
	f.Fuzz(func(t *testing.T, line, stdin string) {
		for _, e := range FromCommand(strings.Fields(line), stdin) {
			if e.Class == "" || e.Verb == "" {
				t.Fatalf("no class or verb: %+v", e)
			}
			Undo(e, e)
			Reveals(e, e)
		}
	})
}

func TestRevealsByWhatTheVerbYieldsOrWhereItIsKept(t *testing.T) {
	for _, tc := range []struct {
		read, readArgs, write, writeArgs string
		want                             bool
	}{
		{"find_bookings", `{"guest":"Ole"}`, "book_hotel", `{"hotel":"A","guest":"Ole"}`, true},
		{"get_transactions", `{"account":"a1"}`, "transfer_funds", `{"to":"a2"}`, true},
		{"search_calendar", `{"query":"x"}`, "create_event", `{"title":"x"}`, true},
		{"get_channel_history", `{"channel":"dev"}`, "post_message", `{"channel":"dev","text":"x"}`, true},
		{"get_channel_history", `{"channel":"ops"}`, "post_message", `{"channel":"dev","text":"x"}`, false},
		{"get_weather", `{}`, "book_hotel", `{"hotel":"A"}`, false},
		{"search_calendar", `{}`, "create_order", `{"sku":"A"}`, false},
	} {
		got := Reveals(FromTool(tc.read, []byte(tc.readArgs)), FromTool(tc.write, []byte(tc.writeArgs)))
		assert.Equal(t, tc.want, got, "%s tells of %s", tc.read, tc.write)
	}
}

func TestInlineRequests(t *testing.T) {
	post := FromCommand([]string{"python3", "-c", "import requests; requests.post('https://api.shop.com/orders', json={'a': 1})"}, "")
	require.Len(t, post, 1)
	assert.Equal(t, ExternalWrite, post[0].Class)
	local := FromCommand([]string{"node", "-"}, "await fetch('http://localhost:3000/x', {method: 'POST'})")
	require.Len(t, local, 1)
	assert.Equal(t, LocalWrite, local[0].Class)
	assert.Empty(t, FromCommand([]string{"python3", "-c", "print(1)"}, ""))
}
