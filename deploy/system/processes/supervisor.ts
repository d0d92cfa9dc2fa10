import { type ProcessDescription, SupervisedProcess } from './supervised-process.ts';

export interface RunningProcess {
  name: string;
  pid: number;
}

export interface Supervisor {
  /** Resolves when the process is ready and otherwise rejects, naming its log. */
  launch: (process: ProcessDescription) => Promise<void>;
  /** Ends the named processes, or all, one after the other, the latest launched first. */
  stop: (names?: string[]) => Promise<void>;
  /** No more processes can be launched afterwards. */
  close: () => void;
  processes: () => RunningProcess[];
}

export interface SupervisorOptions {
  /** The folder of `<name>.log`; the log of the previous run is kept as `<name>.log.1`. */
  logFolder: string;
  /** Reports a sentence. */
  log: (line: string) => void;
  /** These variables are added to the environment of every process. */
  env?: Record<string, string> | undefined;
  /** Called whenever a process has a new pid. */
  onChange?: ((name: string) => void) | undefined;
}

/** Runs processes, each in a session of its own so that the terminal's Ctrl-C signals only us, and restarts those that exit. */
export function createSupervisor({ logFolder, log, env = {}, onChange = () => {} }: SupervisorOptions): Supervisor {
  const running = new Map<string, SupervisedProcess>();
  let isClosed = false;

  async function launch(description: ProcessDescription) {
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

  async function stop(names?: string[]) {
    for (const name of [...running.keys()].reverse().filter((each) => names?.includes(each) ?? true)) {
      await running.get(name)?.stop();
      running.delete(name);
    }
  }

  function processes() {
    return [...running].flatMap(([name, { pid }]) => (pid === null ? [] : [{ name, pid }]));
  }

  function close() {
    isClosed = true;
  }

  return { launch, stop, close, processes };
}
