package rules

import "github.com/faultline-dev/faultline/classify"

// All lists every rule. Order does not matter to a verdict; it is the order of
// the documentation.
func All() []classify.Rule {
	return []classify.Rule{
		falseSuccess,
		missingCheck,
		staleCheck,
		splitSnapshot,
		failedCheckAccepted,
		checkNotRun,
		maskedExit,
		summaryContradictsExit,
		claimContradictsResult,
		claimWithoutAction,
		brokenInvariant,
		tamperedCheck,
		selfAuthoredCheck,
		unidentifiedCandidate,
		checkDrift,
		selfCertified,
		wavedThrough,
		evaluatorSubstituted,
		noContract,
		relayedClaim,
		wrongWorkspace,
		openItems,
		stoppedShort,

		blindRetry,
		duplicateEffect,
		unreconciled,

		repeatedWork,
		droppedOperation,
		staleEnvironment,
		unverifiedResume,
		missingField,
		contradictedSummary,
		lostState,
		destroyedWork,
		conflictingWriters,
		unreadArtifact,
		reasoningLoss,
		uncleanEnd,

		malformedArguments,
		noSuchTool,
		unmarkedError,
		forbiddenAction,
		approvedOtherArguments,
		agentTimeout,
		checkTimeout,
		environment,
		crash,
		budgetExceeded,
		unretriedTransient,
		providerFailed,
		safetyStop,
		truncatedOutput,
		contextOverflow,
		prefixBreak,
		repeatedRejection,
		wrongResult,
	}
}
