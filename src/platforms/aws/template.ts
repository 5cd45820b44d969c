// The CloudFormation template of a deployment: a bucket, a function with a URL, and a distribution in front of both.
import { distributionResources } from './distribution.ts'
import { attribute, ref, secret, sub } from './intrinsics.ts'

/**
 * Returns the template for `aws cloudformation package`, which uploads the function.
 *
 * @param source the source of the CloudFront Function
 */
export function awsTemplate(source: string): object {
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: 'A content API: files of a bucket and a function behind CloudFront.',
    Parameters: {
      Keys: { Type: 'String', Default: '', NoEcho: true, Description: 'QUARRY_KEYS' },
      RateLimit: { Type: 'String', Default: '', Description: 'QUARRY_RATE_LIMIT' },
      Mcp: { Type: 'String', Default: 'off', Description: 'QUARRY_MCP' },
    },
    Resources: { ...bucket, ...lambda, ...distributionResources(source) },
    Outputs: {
      Address: { Value: sub('https://{Distribution.DomainName}') },
      Bucket: { Value: ref('Files') },
      DistributionId: { Value: ref('Distribution') },
    },
  }
}

const bucket = {
  Files: {
    Type: 'AWS::S3::Bucket',
    Properties: {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    },
  },
  FilesPolicy: {
    Type: 'AWS::S3::BucketPolicy',
    Properties: {
      Bucket: ref('Files'),
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'cloudfront.amazonaws.com' },
            Action: 's3:GetObject',
            Resource: sub('{Files.Arn}/*'),
            Condition: {
              StringEquals: {
                'AWS:SourceArn': sub(
                  'arn:{AWS::Partition}:cloudfront::{AWS::AccountId}:distribution/{Distribution}',
                ),
              },
            },
          },
        ],
      },
    },
  },
  FilesAccess: {
    Type: 'AWS::CloudFront::OriginAccessControl',
    Properties: {
      OriginAccessControlConfig: {
        Name: ref('AWS::StackName'),
        OriginAccessControlOriginType: 's3',
        SigningBehavior: 'always',
        SigningProtocol: 'sigv4',
      },
    },
  },
}

/**
 * The URL is public and the function checks for CloudFront itself: signed requests would occupy the header of the
 * key.
 */
const lambda = {
  Role: {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'lambda.amazonaws.com' },
            Action: 'sts:AssumeRole',
          },
        ],
      },
      ManagedPolicyArns: [
        sub('arn:{AWS::Partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole'),
      ],
    },
  },
  Function: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: 'function',
      Handler: 'index.streaming',
      Runtime: 'nodejs22.x',
      Architectures: ['arm64'],
      MemorySize: 1024,
      Timeout: 30,
      Role: attribute('Role.Arn'),
      Environment: {
        Variables: {
          QUARRY_ORIGIN: secret,
          QUARRY_KEYS: ref('Keys'),
          QUARRY_RATE_LIMIT: ref('RateLimit'),
          QUARRY_MCP: ref('Mcp'),
        },
      },
    },
  },
  FunctionUrl: {
    Type: 'AWS::Lambda::Url',
    Properties: {
      TargetFunctionArn: attribute('Function.Arn'),
      AuthType: 'NONE',
      InvokeMode: 'RESPONSE_STREAM',
    },
  },
  UrlPermission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunctionUrl',
      FunctionName: ref('Function'),
      FunctionUrlAuthType: 'NONE',
      Principal: '*',
    },
  },
  // URLs created since October 2025 need both permissions.
  InvokePermission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: ref('Function'),
      InvokedViaFunctionUrl: true,
      Principal: '*',
    },
  },
}
