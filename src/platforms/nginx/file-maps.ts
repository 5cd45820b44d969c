// The nginx maps from canonical requests to files.
import { resourceKinds } from '../../api/resources.ts'
import { targetLengthMax } from '../../api/routes.ts'
import type { Manifest } from '../../emit/manifest.ts'
import {
  documentsPattern,
  recognizedParameters,
  responseRoutes,
  routeKey,
  unfiledParameters,
} from '../response-routes.ts'

/**
 * Returns maps that set `$quarry_file` to the file of a request, or to a path that does not exist.
 *
 * The raw target decides whether a path is a content request, because nginx decodes `%2F` to a slash. Queries match
 * only in their usual spelling. All other requests go to the server.
 */
export function fileMaps(manifest: Manifest): string {
  const resources = resourceKinds.join('|')
  const segment = '(?!\\.|%2e|%2E)[^/?]+'
  const files = responseRoutes(manifest).map((route) => {
    const file = route.file
      .replace('{name}', '$quarry_name')
      .replace('{limit}', '$quarry_limit_number')
      .replace('{page}', '$quarry_page_number')
    return `  "${routeKey(route)}" /v1/$quarry_workspace/${file};`
  })
  const values = recognizedParameters.map(({ name }) => `$quarry_${name}`).join(':')
  return `# The decoded path of a request that may have a file. nginx gives a precondition another meaning than the server does.
map "$request_method $http_if_match$http_if_unmodified_since $request_uri" $quarry_path {
  "~^(?:GET|HEAD)  (?!.{${targetLengthMax + 1}})(?![^?]*%(?:2f|2F|5c|5C))/v1/${segment}/(?:${documentsPattern}|(?:${resources})(?:/${segment})?)(?:\\?|$)" $uri;
  default "";
}

map $quarry_path $quarry_workspace {
  "~^/v1/(?<quarry_first>[^/]+)/" $quarry_first;
  default "";
}

map $quarry_path $quarry_resource {
  "~^/v1/[^/]+/(?<quarry_list>${resources}|${documentsPattern})$" $quarry_list;
  "~^/v1/[^/]+/(?<quarry_single>${resources})/[^/]+$" $quarry_single/;
  default "";
}

# The stem of the file of a resource. No identifier begins or ends with "_".
map $quarry_path $quarry_name {
  "~^/v1/[^/]+/[^/]+/(?<quarry_marked>(?i:index|[^/_][^/]*\\.json))$" \${quarry_marked}_;
  "~^/v1/[^/]+/[^/]+/(?<quarry_plain>[^/_](?:[^/]*[^/_])?)$" $quarry_plain;
  default "";
}

# A parameter that has no file, a parameter that is there twice, and a name in an unusual spelling.
map $args $quarry_unfiled {
  "~(?:^|&)[^=&]*[%+]" "!";
  "~(?:^|&)(?:${unfiledParameters.join('|')})(?:=|&|$)" "!";
  "~(?:^|&)fields\\." "!";
  "~(?:^|&)(?<quarry_twice>${recognizedParameters.map(({ name }) => name).join('|')})(?:=[^&]*)?&(?:.*&)?\\k<quarry_twice>(?:=|&|$)" "!";
  default "";
}

${recognizedParameters.map(valueMaps).join('\n')}
map "$quarry_unfiled$quarry_resource:${values}" $quarry_file {
${files.join('\n')}
  default /none;
}`
}

/** Maps the value of a parameter: "" for its default, "*" for a number, "!" for any other value. */
function valueMaps({ name, usual, word, number }: (typeof recognizedParameters)[number]): string {
  const line = (value: string, result: string) =>
    `  "~(?:^|&)${name}=(?:${value})(?:&|$)" "${result}";\n`
  const numberMap = `map $args $quarry_${name}_number {
  "~(?:^|&)${name}=(?<quarry_${name}_digits>${number})(?:&|$)" $quarry_${name}_digits;
  default "";
}
`
  return `map $args $quarry_${name} {
${line(usual === '' ? '' : `|${usual}`, '')}${word === null ? '' : line(word, word)}${number === null ? '' : line(number, '*')}  "~(?:^|&)${name}=" "!";
  default "";
}
${number === null ? '' : numberMap}`
}
