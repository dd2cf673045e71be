package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/ingest/record"
)

const schemaLong = `Print the JSON Schema of a record type, or list the types. A harness writes its
records as JSON Lines, one object a line, whose member "faultline" names the
type.`

func newSchemaCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:       "schema [TYPE]",
		Short:     "Print the JSON Schema of a record type",
		Long:      withExit(schemaLong, exitOK, exitUsage),
		Args:      args(cobra.MaximumNArgs(1)),
		ValidArgs: record.Types(),
		RunE:      func(_ *cobra.Command, names []string) error { return runSchema(a, names) },
	}
}

func runSchema(a *app, names []string) error {
	if len(names) == 0 {
		_, err := fmt.Fprintln(a.stdout, strings.Join(record.Types(), "\n"))
		return err
	}
	name := names[0]
	if !strings.Contains(name, "/") {
		name += "/v1"
	}
	schema, err := record.Schema(name)
	if err != nil {
		return usagef("list them with: faultline schema", "print schema: %v", err)
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", schema)
	return err
}
