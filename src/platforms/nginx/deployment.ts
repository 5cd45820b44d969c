// The deployment to nginx: v1 files, and a configuration that serves them in front of `quarry serve`.
import { ApiError, errorJson } from '../../api/errors.ts'
import { versions } from '../../api/request.ts'
import { targetTooLong } from '../../api/routes.ts'
import type { HostDeployment } from '../deployment.ts'
import { responseHeaders } from '../response-headers.ts'
import { textDocuments } from '../response-routes.ts'
import { fileMaps } from './file-maps.ts'

/**
 * Errors that nginx must send itself, because it has only part of the target or of the headers. nginx refuses a
 * malformed target before it reads the headers. Without a v2 key to check, that 400 depends only on the target.
 */
const refusals: readonly ApiError[] = [
  new ApiError(400, 'The path is not percent-encoded UTF-8.'),
  targetTooLong(),
  new ApiError(431, 'The headers are too large.'),
]

/** Returns the error bodies, by version and status. */
function refusalBodies(): string {
  const lines = versions.flatMap((version) =>
    refusals.map((error) => `  ${version}:${error.status} '${errorJson(version, error)}';`),
  )
  return lines.join('\n')
}

/** The location of a document that is not JSON. The surrounding location sets everything but the type. */
function documentLocation({ name, contentType }: (typeof textDocuments)[number]): string {
  return `    location ~ "^/v1/[^/]+/${name}$" {
      default_type "${contentType}";
      try_files $quarry_file @quarry;
    }`
}

/**
 * nginx serves the files of canonical requests and proxies the rest. It caches no response: nothing would purge a
 * withdrawn post, and the server has a cache that follows its build.
 */
export const nginxDeployment: HostDeployment = {
  folder: 'deploy/nginx',
  program: null,
  data: { form: 'none' },
  // `quarry serve` serves images.
  media: null,
  responses: 'public',
  texts: {},
  textsOf: (manifest) => ({
    'quarry.conf': `# Include this in the http block of nginx.conf. The server behind it:
#   QUARRY_TRUSTED_PROXIES=1 npx quarry serve
# Copy or link the folder "public" that is beside this file to /var/www/quarry.
upstream quarry {
  server 127.0.0.1:4321;
  keepalive 32;
}

# The target as it was sent, also where nginx cannot make it out.
map $request $quarry_target {
  "~^\\S+ (?<target>/\\S*) HTTP/" $target;
  default /;
}

map $request $quarry_method {
  "~^(?<method>\\S+) /" $method;
  default GET;
}

map $request $quarry_version {
  "~^\\S+ /v1[/? ]" v1;
  default v2;
}

# The server behind sees a refused request as it was sent, but for v2, whose key was not read.
map $request $quarry_malformed {
  "~^\\S+ /v2[/? ]" /.refused;
  default /.quarry;
}

# Node refuses large headers before it gives a request an id.
map $upstream_http_x_request_id $quarry_request_id {
  "" $request_id;
  default "";
}

map $quarry_version:$status $quarry_refusal {
${refusalBodies()}
}

${fileMaps(manifest)}

server {
  listen 80;
  large_client_header_buffers 4 16k;
  client_max_body_size 16k;
  merge_slashes off;

  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_redirect off;
  add_header X-Request-Id $quarry_request_id always;

  location / {
    proxy_pass http://quarry;
  }

  # A canonical request is answered from its file, and the server behind is not asked.
  location /v1/ {
    root /var/www/quarry;
    default_type application/json;
    types { }
    charset off;
    max_ranges 0;
${responseHeaders.map(([name, value]) => `    add_header ${name} "${value}";`).join('\n')}
    add_header X-Request-Id $request_id;
    try_files $quarry_file @quarry;
${textDocuments.map(documentLocation).join('\n')}
  }

  location @quarry {
    proxy_pass http://quarry;
  }

  # By itself nginx would lead to /v1/.
  location = /v1 {
    proxy_pass http://quarry;
  }

  # Requests that nginx refuses before it looks for a location get a response in the same form as all others.
  error_page 400 = $quarry_malformed;
  error_page 404 405 408 413 500 = /.quarry;
  error_page 414 /.refused;
  error_page 494 =431 /.refused;
  location = /.refused {
    internal;
    default_type application/json;
    add_header Access-Control-Allow-Origin * always;
    add_header Cache-Control no-store always;
    add_header X-Request-Id $request_id always;
    return 400 $quarry_refusal;
  }
  location = /.quarry {
    internal;
    proxy_method $quarry_method;
    proxy_pass_request_body off;
    proxy_set_header Content-Length "";
    # A malformed target is refused before the headers are read, so there may be no host to hand on.
    proxy_set_header Connection "";
    proxy_set_header Host quarry;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_pass http://quarry$quarry_target;
  }
  error_page 502 503 504 = @away;
  location @away {
    default_type application/json;
    add_header Access-Control-Allow-Origin * always;
    add_header Cache-Control no-store always;
    add_header X-Request-Id $request_id always;
    return 500 '{"error":"Internal Server Error","details":null,"message":"The service cannot be reached."}';
  }
}
`,
  }),
  next: 'ln -sfn "$PWD/deploy/nginx/public" /var/www/quarry && cp deploy/nginx/quarry.conf /etc/nginx/conf.d/ && nginx -s reload',
}
