import { SupervisedProcess } from './supervised-process.mjs';

/**
 * @typedef {object} ProcessDescription
 * @property {string} name
 * @property {string} command
 * @property {string[]} [args]
 * @property {Record<string, string | undefined>} [env]
 * @property {string} [cwd]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {NodeJS.Signals} [stopSignal]
 * @property {number} [stopWithinMs]
 * @property {number} [readyWithinMs]
 * @property {() => Promise<unknown>} [beforeStart] runs before every start of it.
 * @property {() => Promise<boolean>} [isReady]
 */

/** @typedef {ReturnType<typeof createSupervisor>} Supervisor */

/**
 * Runs processes, each in a session of its own so that the terminal's Ctrl-C signals only us, and restarts those that exit.
 * @param {object} options
 * @param {string} options.logFolder where `<name>.log` goes; the one of the run before is kept as `<name>.log.1`.
 * @param {(line: string) => void} options.log one sentence for a person.
 * @param {Record<string, string>} [options.env] added to the environment of every process.
 * @param {(name?: string) => void} [options.onChange] called whenever a process has a new pid.
 * @returns {{
 *   launch: (process: ProcessDescription) => Promise<void>,
 *   stop: (names?: string[]) => Promise<void>,
 *   close: () => void,
 *   processes: () => {name: string, pid: number}[],
 * }} `launch` resolves when the process is ready and otherwise rejects, naming its log; `stop` ends the named
 *   processes (all without names) one after the other, the latest launched first; after `close` no more can be launched.
 */
export function createSupervisor({ logFolder, log, env = {}, onChange = () => {} }) {
  const running = new Map();
  let isClosed = false;

  async function launch(description) {
    if (isClosed) throw new Error(`${description.name} is not started: everything is being stopped`);
    const child = new SupervisedProcess({
      logFolder,
      log,
      onChange,
      ...description,
      env: { ...description.env, ...env },
    });
    running.set(description.name, child);
    await child.start();
  }

  async function stop(names) {
    for (const name of [...running.keys()].reverse().filter((each) => names?.includes(each) ?? true)) {
      await running.get(name)?.stop();
      running.delete(name);
    }
  }

  function processes() {
    return [...running].filter(([, child]) => child.pid).map(([name, child]) => ({ name, pid: child.pid }));
  }

  function close() {
    isClosed = true;
  }

  return { launch, stop, close, processes };
}
