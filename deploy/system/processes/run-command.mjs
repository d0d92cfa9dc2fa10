import { spawn } from 'node:child_process';

const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill()));

/**
 * Runs a program to its end; should we end first, it is ended too.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & {missing?: string, shownLines?: number}} [options] those of `spawn`; `missing`
 * is the error message when there is no such program, `shownLines` how
 *   much of its output (8) an error repeats.
 * @returns {Promise<string>} what it wrote to its standard output.
 * @throws {Error} with the end of what it wrote to its standard error; `No space left` gets a message of its own.
 */
export function runCommand(command, args, { missing, shownLines = 8, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    running.add(child);
    child.once('close', () => running.delete(child));
    const output = { out: '', err: '' };
    child.stdout?.on('data', (data) => (output.out += data));
    child.stderr?.on('data', (data) => (output.err = (output.err + data).slice(-20_000)));
    child.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      reject(
        new Error(
          error.code === 'ENOENT' ? (missing ?? `${command} is not installed`) : `${command}: ${error.message}`,
        ),
      );
    });
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output.out);
      else reject(new Error(explain(command, args, code ?? signal, tail(`${output.out}\n${output.err}`, shownLines))));
    });
  });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {number | NodeJS.Signals | null} ending
 * @param {string[]} lines
 */
function explain(command, args, ending, lines) {
  const full = lines.find((line) => /No space left|ENOSPC|enough free space/i.test(line));
  if (full) return `the disk is full: ${command} could not write (${full.trim()})`;
  return `${command} ${args.slice(0, 3).join(' ')} … ended with ${ending}:\n${lines.join('\n')}`;
}

/**
 * @param {string} output
 * @param {number} count
 */
function tail(output, count) {
  return output.trim().split('\n').slice(-count);
}
