export { MASK, maskSecrets } from './mask.ts'
export { isCredentialName, SENSITIVE_ENV_PATTERN } from './names.ts'
export { isCredentialValue } from './shapes.ts'
