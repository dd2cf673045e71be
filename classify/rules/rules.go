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

		blindRetry,
		duplicateEffect,
		newKey,
		keyReused,
		keyExpired,
		noOperationID,
		unknownAsFailed,
		unreconciled,
		unboundedRetry,
		duplicateDelivery,
		taskMisread,
		untrustedHint,
		dispatchAfterStop,

		repeatedWork,
		droppedOperation,

		agentTimeout,
		checkTimeout,
		environment,
		wrongResult,
		repeatedRejection,
		malformedArguments,
	}
}
