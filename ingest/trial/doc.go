// Package trial holds what the decoders of trial folders share. A benchmark
// leaves one folder per attempt at a task: the agent's log beside a result
// file that names the trial and says what a grader found.
//
//	HasFile, ReadHead, Text ─▶ is this folder a trial, and what names it
//	Named                   ─▶ the agent's log as that trial's run
//	Moment                  ─▶ the phases' times, on the events that ended them
package trial
