// Runs before each file of tests.
import { afterAll } from 'vitest'
import { endOfFile } from './cleanup.ts'

afterAll(endOfFile)
