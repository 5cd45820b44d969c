// Other processes of this machine.

/** Whether a process has this number; in another container it may be another one. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is there too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
