#!/bin/sh
# Uploads deploy/static to a bucket under the paths of the API, with the AWS CLI: `sh upload.sh BUCKET`.
# Single resources come before lists, so no list names a missing post. Objects that the build no longer has are removed.
set -eu
bucket=$1
keys=deploy/keys

# On a disk, v1/acme/posts cannot be a file and a folder. So the files are linked into folders by stage, depth and type.
rm -rf "$keys"
node -e '
  const { mkdirSync, linkSync, readFileSync } = require("node:fs")
  const { dirname } = require("node:path")
  const folders = new Set()
  for (const { key, file, contentType, cacheControl } of JSON.parse(readFileSync("deploy/static/objects.json"))) {
    const isList = /\/_(?!markdown\/)|^(?!v1\/.*\/.*\/|media\/)/.test(key)
    const folder = `deploy/keys/${isList ? 2 : 1}/${key.split("/").length}/${contentType}`
    mkdirSync(dirname(`${folder}/${key}`), { recursive: true })
    linkSync(`deploy/static/${file}`, `${folder}/${key}`)
    folders.add([folder, contentType, cacheControl].join("\t"))
  }
  console.log([...folders].sort().join("\n"))' > "$keys.tsv"

while IFS="$(printf '\t')" read -r folder type control; do
  aws s3 cp "$folder" "s3://$bucket" --recursive --content-type "$type" --cache-control "$control" --only-show-errors
done < "$keys.tsv"

aws s3api list-objects-v2 --bucket "$bucket" --query 'Contents[].[Key]' --output text | LC_ALL=C sort > "$keys.there"
node -p 'JSON.parse(require("node:fs").readFileSync("deploy/static/objects.json")).map(({ key }) => key).join("\n")' |
  LC_ALL=C sort > "$keys.wanted"
LC_ALL=C comm -23 "$keys.there" "$keys.wanted" |
  while read -r key; do aws s3 rm "s3://$bucket/$key" --only-show-errors; done
