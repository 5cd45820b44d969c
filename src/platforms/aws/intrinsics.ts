// CloudFormation's functions, and the secret of a stack.

/** The value of a resource, a parameter or a pseudo parameter. */
export const ref = (name: string): object => ({ Ref: name })

/** An attribute of a resource: `Files.Arn`. */
export const attribute = (name: string): object => ({ 'Fn::GetAtt': name.split('.') })

/** A text. @param text with names in braces */
export const sub = (text: string): object => ({ 'Fn::Sub': text.replaceAll('{', '${') })

/** A part of a text between slashes, from 0. */
export const part = (index: number, text: object): object => ({
  'Fn::Select': [index, { 'Fn::Split': ['/', text] }],
})

/** A random number of the stack, which stays secret. */
export const secret: object = part(2, ref('AWS::StackId'))
