// Uses the generated client as its reader would: arguments are the API's address, a server and a visitor.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	serverID, visitorID := os.Args[2], os.Args[3]
	client := must(NewClientWithResponses(os.Args[1]))

	limit := 5
	page := must(client.ListServersWithResponse(ctx, &ListServersParams{Limit: &limit})).JSON200
	body := VoteJSONRequestBody{VisitorId: visitorID}
	first := must(client.VoteWithResponse(ctx, serverID, body)).JSON200
	second := must(must(client.VoteWithResponse(ctx, serverID, body)).JSON429.AsVoteCooldown())
	missing := must(client.GetServerWithResponse(ctx, "00000000-0000-0000-0000-000000000000")).JSON404
	limit = 101
	refused := must(client.ListServersWithResponse(ctx, &ListServersParams{Limit: &limit})).JSONDefault
	var lookup LookUpServersJSONRequestBody
	if err := lookup.FromLookupRequest0(LookupRequest0{Ids: []string{serverID}}); err != nil {
		log.Fatal(err)
	}
	found := must(client.LookUpServersWithResponse(ctx, lookup)).JSON200

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"listed":   page.Servers[0].Name,
		"total":    page.Pagination.Total,
		"success":  first.Success,
		"cooldown": second.Error,
		"missing":  missing.Error,
		"refused":  (*refused.Details)[0].Path,
		"found":    len(found.Servers),
	}))
}
