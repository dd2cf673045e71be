package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// opened are the actions of the thread whose end nothing tells by itself:
// external writes, background launches that end by themselves, jobs that a
// reply says were queued, and calls that do work and lost their result. A check
// drops nothing, because it can be run again at any time.
func opened(v *classify.View) []*classify.Action {
	return classify.Once(&v.Facts, "opened", func() []*classify.Action {
		return slices.DeleteFunc(slices.Clone(v.Actions), func(a *classify.Action) bool {
			return a.Settled >= 0 || !a.Ran() || a.Kind == classify.Notes || a.ReadOnly() || isService(a) || a.Checks() || !isOpen(v, a)
		})
	})
}

// isOpen reports that nobody knows yet how an action ended. A look that
// ran out of time left nothing behind.
func isOpen(v *classify.View, a *classify.Action) bool {
	switch {
	case a.Outcome == ingest.Pending && a.Kind == classify.RunsShell: // else a server, an editor, a watch
		return worksOutside(v, a) || unknownEffect(a) || slices.ContainsFunc(a.Commands, runsScript)
	case a.Outcome == ingest.Pending:
		return true
	case a.Kind == classify.Other && a.Outcome == ingest.OK && jobOf(a) != "":
		return true
	case a.Outcome == ingest.Unknown:
		return worksOutside(v, a) || unknownEffect(a)
	}
	return unknownEffect(a)
}

// jobStates are states of a job that was taken on and has not ended.
var jobStates = wordSet("queued pending running in_progress inprogress processing started submitted scheduled working enqueued accepted")

// jobKeys name what a service works on after its reply.
var jobKeys = []string{"job_id", "jobId", "job", "task_id", "taskId", "operation_id", "operationId", "run_id", "runId", "execution_id", "executionId", "workflow_id", "batch_id", "export_id", "import_id", "build_id", "deployment_id"}

// jobOf is the id of the job that a reply says it has taken on but not done.
func jobOf(a *classify.Action) string {
	if a.Result < 0 || a.Kind != classify.Other {
		return ""
	}
	var reply map[string]jsontext.Value
	if json.Unmarshal([]byte(a.Output()), &reply) != nil {
		return ""
	}
	if !jobStates[strings.ToLower(ingest.TextOf(reply["status"]))] && !jobStates[strings.ToLower(ingest.TextOf(reply["state"]))] {
		return ""
	}
	for _, key := range jobKeys {
		if id := strings.Trim(string(reply[key]), `"`); len(id) > 1 {
			return id
		}
	}
	return ""
}

// runsScript reports that a command runs a file of code, which ends when it is
// through unless its name says that it serves.
func runsScript(c shell.Command) bool {
	for _, w := range c.Argv[:min(2, len(c.Argv))] {
		switch path.Ext(w) {
		case ".sh", ".py", ".js", ".mjs", ".ts", ".rb", ".pl", ".R":
			return true
		}
	}
	return false
}

// serviceWords name commands that are meant to go on: their launch is no
// operation that ends.
var serviceWords = phrase.MustCompile(`(?i)(` + strings.Join([]string{
	`\b(serve|server|dev|watch|start|run-?server|uvicorn|gunicorn|hypercorn|daphne|puma|flask run|rails s|vite|webpack|nodemon|pm2|http-server|http\.server|live-server)\b`,
	`\b(tail -f|journalctl -f|logs -f|tsc -w|postgres|redis|redis-server|mongod|mysqld|elasticsearch|kafka|rabbitmq|minio|nginx|caddy|traefik|apache2|httpd)\b`,
	`--watch|--reload|--serve|\bphp -S\b`, `\b(sandbox|daemon|proxy|tunnel|listen|listener|emulator|storybook|preview|port-forward|ngrok|cloudflared|bootrun)\b`,
	`\b(compose|docker-compose) up\b`, `\b(worker|sidekiq|celery|beat|consumer|scheduler|bot)\b`, `\b(jupyter|streamlit|gradio|mlflow ui|tensorboard|airflow)\b`,
	`\bjava -jar\b`, `\b(app|api|web|bot|index|main|gateway)\.(py|js|ts|mjs|rb|jar|php)\b`, `\./cmd/(api|server|web|app)\b`, `json-server`, `^(code|cursor|subl|open|xdg-open) `,
}, "|") + `)`)

func isService(a *classify.Action) bool {
	return a.Outcome == ingest.Pending && a.Kind == classify.RunsShell && serviceWords.MatchString(a.Shell)
}
