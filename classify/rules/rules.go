package rules

import "github.com/faultline-dev/faultline/classify"

// All lists every rule. Order does not matter to a verdict; it is the order of
// the documentation.
func All() []classify.Rule {
	return []classify.Rule{
		falseSuccess,
		missingCheck,
		staleCheck,
		failedCheckAccepted,
		checkNotRun,
		claimWithoutAction,
		brokenInvariant,
		unidentifiedCandidate,
		checkDrift,
		selfCertified,
		wavedThrough,
		evaluatorSubstituted,
		noContract,
		openItems,
		stoppedShort,

		blindRetry,
		duplicateEffect,
		unreconciled,

		repeatedWork,
		droppedOperation,

		malformedArguments,
		agentTimeout,
		checkTimeout,
		environment,
		repeatedRejection,
		wrongResult,
	}
}
