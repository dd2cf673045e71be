package main

// configHelp documents faultline.yaml.
const configHelp = `faultline.yaml says what the owner of a repository or of a folder of traces knows.
It governs the runs whose files lie in its folder or below it; of several the
nearest one does; --config FILE governs all. Every member is optional; an unknown
one is an error. Globs are slash paths below the run's working directory, * within
a segment, ** for any segments. Durations are like 2s or 1h30m.

checks:                          # required before work counts as done
  - {name: unit, run: pytest -q, paths: ["src/**"]}
candidate: ["src/**", "docs/**"] # what can belong to the work; else all but caches
protected: ["tests/golden/**"]   # not to be changed without a recorded approval
permissions:
  deny: ["git push*", delete_order]   # commands or tools that must not run
  paths: ["src/**"]                   # where may be written
contracts:                       # what tools do, as contract/v1 records
  - tool: create_order
    effect: external_write       # read, local_write, external_write
    identity: [cart_id]          # arguments that name the intended effect
    key_argument: idempotency_key
    lookup: [find_orders]
    undo: [cancel_order]
    timeout: 30s
    retry: {max: 2, backoff: exponential}
trusted: [orders]                # servers whose tool annotations count
invariants:                      # what must hold in every run
  - name: refund-after-identity
    before: {tool: issue_refund}
    require: {tool: verify_identity, outcome: ok, result: {verified: true}}
    same: [order_id]
  - name: no-force-push
    severity: medium             # high where it is not set
    never: {command: "git push*--force*"}
  - name: no-loop
    at_most: 2
    of: {tool: "*"}
    same: ["*"]                  # tool and all arguments
    per: run                     # episode (default), run or thread
  - name: date-as-stated
    call: {tool: reschedule}
    argument: date
    stated: '\d{4}-\d\d-\d\d'    # what the request states; or equals: VALUE
  - name: said-so
    claims: [refunded]           # words of the closing text
    require: {tool: issue_refund, outcome: ok}
  - name: journeys
    spans: "journey *"           # an absent span was not measured
    at_least: 4
    longest: 2s
rules:
  acceptance/self-authored-check: off  # or high, medium, low
waivers:                         # shown and counted; they decide no verdict
  - rule: acceptance/stale-check
    fingerprint: 4ca23cd730ff    # only this structure; run: only this run
    reason: the formatter of release 3, see ticket 81
    by: Ada
    expires: 2026-12-31          # the first day on which it does not hold
lookups:                         # service logs as look-ups, with --records
  - {logs: "api*.jsonl", format: json, tool: create_order, time: ts, key: req.key}`
