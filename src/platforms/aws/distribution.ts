// The CloudFront resources of the template: the function, the policies and the distribution.
import { reservedWorkspaces } from '../../api/routes.ts'
import { corsHeaders, preflightHeaders } from '../../runtime/headers.ts'
import { origins } from './cloudfront-function.ts'
import { attribute, part, ref, secret, sub } from './intrinsics.ts'
import { originHeader } from './origin-headers.ts'

/** The ids of AWS managed policies. */
const managed = {
  cachingDisabled: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  cachingOptimized: '658327ea-f89d-4fab-a63d-7e88639e58f6',
  allViewerExceptHost: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
}

/** @param source the source of the CloudFront Function */
export function distributionResources(source: string): object {
  return { ...policies, ...distribution(source) }
}

const headerItems = (name: string) => {
  const [, value = ''] = preflightHeaders.find(([known]) => known === name) ?? []
  return { Items: value.split(', ') }
}

const policies = {
  Caching: {
    Type: 'AWS::CloudFront::CachePolicy',
    Properties: {
      CachePolicyConfig: {
        Name: sub('{AWS::StackName}-v1'),
        Comment: 'As long as responses say, by path and query',
        MinTTL: 0,
        DefaultTTL: 0,
        MaxTTL: 31_536_000,
        ParametersInCacheKeyAndForwardedToOrigin: {
          EnableAcceptEncodingBrotli: true,
          EnableAcceptEncodingGzip: true,
          CookiesConfig: { CookieBehavior: 'none' },
          HeadersConfig: { HeaderBehavior: 'none' },
          QueryStringsConfig: { QueryStringBehavior: 'all' },
        },
      },
    },
  },
  Headers: {
    Type: 'AWS::CloudFront::ResponseHeadersPolicy',
    Properties: {
      ResponseHeadersPolicyConfig: {
        Name: sub('{AWS::StackName}-files'),
        CorsConfig: {
          AccessControlAllowCredentials: false,
          AccessControlAllowHeaders: headerItems('access-control-allow-headers'),
          AccessControlAllowMethods: headerItems('access-control-allow-methods'),
          AccessControlAllowOrigins: { Items: ['*'] },
          AccessControlExposeHeaders: {
            Items: (corsHeaders[1]?.[1] ?? '').split(', '),
          },
          AccessControlMaxAgeSec: 86_400,
          OriginOverride: false,
        },
        CustomHeadersConfig: {
          Items: [
            { Header: 'Cross-Origin-Resource-Policy', Value: 'cross-origin', Override: false },
          ],
        },
        // Removes what concerns only the client that caused the cached response.
        RemoveHeadersConfig: {
          Items: ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id'].map(
            (Header) => ({ Header }),
          ),
        },
        SecurityHeadersConfig: { ContentTypeOptions: { Override: true } },
      },
    },
  },
}

/** Errors are not cached. By default CloudFront caches them for ten seconds, which would delay a scheduled post. */
const errors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((ErrorCode) => ({
  ErrorCode,
  ErrorCachingMinTTL: 0,
}))

function distribution(source: string): object {
  const router = [{ EventType: 'viewer-request', FunctionARN: attribute('Router.FunctionARN') }]
  const toFunction = {
    TargetOriginId: origins.function,
    ViewerProtocolPolicy: 'redirect-to-https',
    AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE'],
    OriginRequestPolicyId: managed.allViewerExceptHost,
    FunctionAssociations: router,
    Compress: true,
  }
  return {
    Router: {
      Type: 'AWS::CloudFront::Function',
      Properties: {
        Name: sub('{AWS::StackName}-router'),
        AutoPublish: true,
        FunctionConfig: {
          Comment: 'Leads canonical requests to files',
          Runtime: 'cloudfront-js-2.0',
        },
        FunctionCode: source,
      },
    },
    Distribution: {
      Type: 'AWS::CloudFront::Distribution',
      Properties: {
        DistributionConfig: {
          Enabled: true,
          HttpVersion: 'http2and3',
          IPV6Enabled: true,
          Origins: [
            {
              Id: origins.files,
              DomainName: attribute('Files.RegionalDomainName'),
              OriginAccessControlId: attribute('FilesAccess.Id'),
              S3OriginConfig: { OriginAccessIdentity: '' },
            },
            {
              Id: origins.function,
              DomainName: part(2, attribute('FunctionUrl.FunctionUrl')),
              CustomOriginConfig: {
                OriginProtocolPolicy: 'https-only',
                OriginSSLProtocols: ['TLSv1.2'],
              },
              OriginCustomHeaders: [{ HeaderName: originHeader, HeaderValue: secret }],
            },
          ],
          CustomErrorResponses: errors,
          DefaultCacheBehavior: { ...toFunction, CachePolicyId: managed.cachingDisabled },
          CacheBehaviors: [
            // Must precede `/v1/*`: responses to keyed requests are neither cached nor shared with concurrent
            // requests.
            ...reservedWorkspaces
              .flatMap((name) => [`/v1/${name}`, `/v1/${name}/*`])
              .map((PathPattern) => ({
                ...toFunction,
                PathPattern,
                CachePolicyId: managed.cachingDisabled,
              })),
            {
              ...toFunction,
              PathPattern: '/v1/*',
              CachePolicyId: ref('Caching'),
              ResponseHeadersPolicyId: ref('Headers'),
            },
            {
              ...toFunction,
              PathPattern: '/media/*',
              CachePolicyId: managed.cachingOptimized,
              ResponseHeadersPolicyId: ref('Headers'),
            },
          ],
        },
      },
    },
  }
}
