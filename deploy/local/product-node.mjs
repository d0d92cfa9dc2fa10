import { fork } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { installPackages } from './dependencies.mjs';

/** Signals that end a command, from a terminal or from a supervisor. */
const SIGNALS = /** @type {const} */ (['SIGHUP', 'SIGINT', 'SIGTERM']);

/** @param {NodeJS.Signals} signal */
const exitCodeOf = (signal) => 128 + os.constants.signals[signal];

/**
 * Installs the packages where they are missing, and runs a program of this folder on the Node that they contain.
 * @param {string} file its name.
 * @param {string[]} words its arguments.
 * @returns {Promise<number>} its exit code; errors of the installation have been printed then.
 */
export async function runOnProductNode(file, words) {
  // A signal ends the installation, and goes to the program once that runs: the process that exits ends its children.
  /** @type {(signal: NodeJS.Signals) => void} */
  let onSignal = (signal) => process.exit(exitCodeOf(signal));
  for (const name of SIGNALS) process.on(name, () => onSignal(name));
  const print = ['start', 'dev'].includes(words[0] ?? '') ? console.log : console.error;
  try {
    await installPackages((line) => print(line));
    const program = fork(fileURLToPath(new URL(file, import.meta.url)), words, {
      execPath: nodeProgram(),
      execArgv: [],
      stdio: 'inherit',
    });
    onSignal = (signal) => program.kill(signal);
    return await new Promise((resolve, reject) => {
      program.once('error', reject);
      program.once('exit', (code, signal) => resolve(signal ? exitCodeOf(signal) : (code ?? 1)));
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
