#!/bin/sh
# Looks up companies with curl: first one as any client of the provider does, then several at once with their prices.
# Usage: GATEWAY=http://127.0.0.1:8787 TEAM_TOKEN=cds_… sh lookup.sh acme.example globex.example
set -eu
auth="authorization: Bearer $TEAM_TOKEN"

# The drop-in API takes the team token as the provider's key. x-credits-charged is 0 from the second call on.
curl --silent --show-error --fail-with-body --include \
  --header "apikey: $TEAM_TOKEN" "$GATEWAY/cdapi/v2/company_clean/enrich?website=$1&fields=name&fields=industry"
echo

# Up to 1,000 keys in one call. max_credits limits what it may spend; /estimate would tell the price for free.
keys=$(printf '"%s",' "$@")
curl --silent --show-error --fail-with-body --header "$auth" --header 'content-type: application/json' \
  --data "{\"family\": \"company_clean\", \"by\": \"website\", \"keys\": [${keys%,}], \"fields\": [\"name\", \"industry\"], \"max_credits\": 100}" \
  "$GATEWAY/sheets/v1/lookup"
echo
