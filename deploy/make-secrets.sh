#!/bin/sh
# Makes what deploy/compose.yaml needs to know and nobody else may, in deploy/secrets. What is there already stays.
#   deploy/make-secrets.sh registry.example      the host of PUBLIC_URL, which the public log is named after for ever
# The folder is for its owner only; the files in it can be read by whichever user a container has.
set -eu
host=${1:?Give the host that people will use, for example registry.example}
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p -m 0700 "$root/deploy/secrets"
cd "$root/deploy/secrets"

keep() {
    cat > "$1.new"
    [ -s "$1.new" ] || { echo "$1 was not made" >&2 && exit 1; }
    chmod 0444 "$1.new"
    mv "$1.new" "$1"
}
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

for name in database-password auth-secret metrics-token s3-access-key s3-secret-key; do
    [ -s $name ] || random | keep $name
done
[ -s database-url ] ||
    echo "postgres://registry:$(cat database-password)@database:5432/registry" | keep database-url
[ -s s3-credentials ] ||
    printf '[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n' \
        "$(cat s3-access-key)" "$(cat s3-secret-key)" | keep s3-credentials
[ -s log-key ] || (cd "$root" && npm run -s make-log-key -- "$host") | keep log-key
ls -l
