// A separate nginx on a free port and in a separate folder, with a configuration for its http block.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder } from './empty-folder.ts'
import { type RunningProgram, startProgram } from './process.ts'
import { provideProgram } from './programs.ts'

/** Installs nginx if it is missing; returns as `provideProgram`. */
export function provideNginx(): string | null {
  return provideProgram('nginx', '-v')
}

/**
 * Starts nginx.
 *
 * @param http the text of its http block, which listens on `port`
 */
export function startNginx(http: string, port: number): Promise<RunningProgram> {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'temporary'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path temporary/${kind};`)
    .join('\n')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const text = `daemon off;\n${user}\npid nginx.pid;\nerror_log errors.log;\nworker_processes 2;
events { worker_connections 512; }\nhttp {\naccess_log off;\n${temporary}\n${http}\n}\n`
  writeFileSync(join(folder, 'nginx.conf'), text)
  const words = ['-p', folder, '-c', 'nginx.conf', '-e', 'errors.log', '-g', 'master_process on;']
  return startProgram('nginx', words, { cwd: folder, ready: port })
}
