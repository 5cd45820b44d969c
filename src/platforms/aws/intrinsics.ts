// CloudFormation's intrinsic functions, and the secret of a stack.

/** References a resource, a parameter or a pseudo parameter. */
export const ref = (name: string): object => ({ Ref: name })

/** References an attribute of a resource: `Files.Arn`. */
export const attribute = (name: string): object => ({ 'Fn::GetAtt': name.split('.') })

/** Substitutes references in a text. @param text with names in braces */
export const sub = (text: string): object => ({ 'Fn::Sub': text.replaceAll('{', '${') })

/** Selects a part of a text between slashes, counted from 0. */
export const part = (index: number, text: object): object => ({
  'Fn::Select': [index, { 'Fn::Split': ['/', text] }],
})

/** A secret random value of the stack. */
export const secret: object = part(2, ref('AWS::StackId'))
