package effect

import "strings"

// agentReads and agentWrites list the tools that agents bring along (Claude
// Code, Codex, opencode, Gemini CLI, OpenHands, SWE-agent, Inspect), by their
// lower-case name without separators. They act on the workspace or on the
// conversation, never outside it; a shell's command is judged by FromCommand.
var (
	agentReads = wordSet("read readfile readmanyfiles glob grep ls list listdirectory listdir listfiles searchfilecontent findfiles viewimage view viewfile open " +
		"webfetch websearch googlewebsearch fetch think thinking calculate calculator bashoutput taskoutput readbackgroundtask toolsearch codesearch search searchdir searchfile " +
		"findfile gotoline scrollup scrolldown goto readnotebook lsp listmcpresources listmcpresourcestool readmcpresource readmcpresourcetool askuserquestion askuser question " +
		"requestuserinput codebaseinvestigator getinternaldocs viewfileoutline grepsearch globfilesearch filesearch respond transfertohumanagents readthreadterminal")
	agentWrites = wordSet("bash shell localshell containerexec exec execcommand writestdin runshellcommand runterminalcmd executebash terminal terminalcommand python ipython " +
		"executeipythoncell runipython edit editfile multiedit write writefile writetofile replace searchreplace strreplace strreplaceeditor strreplacebasededittool applypatch applydiff patch " +
		"notebookedit editnotebook todowrite todoread todo writetodos updateplan updatetodolist tasktracker task agent spawnagent sendinput waitagent closeagent skill killshell killbash " +
		"taskcreate taskupdate tasklist taskget taskstop exitplanmode enterplanmode finish submit complete done end taskcomplete completetask attemptcompletion markcomplete " +
		"structuredoutput savememory memory remember browser create insert undoedit undo texteditor computer slashcommand sendusermessage batch schedulewakeup enterworktree exitworktree")
)

// builtin judges a tool by its plain name. An MCP name never is one, but for
// the client's own functions.* and default_api names.
func builtin(name string) (Class, bool) {
	if strings.Contains(name, "__") {
		return "", false
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "functions."), "default_api.")
	switch flat := flatKey(name); {
	case agentReads[flat]:
		return Read, true
	case agentWrites[flat]:
		return LocalWrite, true
	}
	return "", false
}
