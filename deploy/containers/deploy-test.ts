import path from 'node:path';
import { installEngine } from '../local/engine/install-engine.ts';
import { waitForLock } from '../system/files/file-lock.mjs';
import { readJson } from '../system/files/json-file.ts';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { acceptanceOf } from './acceptance.ts';
import { Report, type Row } from './checks/report.ts';
import { type DockerFiles, installDocker, isDockerInstalled } from './engine/install-docker.ts';
import { runInPrivateNetwork, whyNoContainers } from './engine/private-network.ts';
import { checkKubernetes, checkMonitoring } from './outside.ts';
import { chosenParts } from './parts.ts';

const log = (line: string) => console.error(line);

/**
 * Brings an engine for containers, and runs the checks of the deployment on it, in a network of its own; then those that need no engine,
 * or have their own way to it.
 * @param words - which checks.
 * @returns the exit code: 0 when all have passed, 1 when one has failed, 3 when nothing could be checked here.
 */
async function testDeployment(words: string[]): Promise<number> {
  const startedAt = performance.now();
  const why = whyNoContainers();
  if (why) return unable(why);
  const { inside, outside } = chosenParts(words);
  const isWarm = isDockerInstalled();
  const parts = await Promise.all([installDocker(log), installEngine({ log })]).catch((error: Error) => error.message);
  if (typeof parts === 'string') return unable(parts);
  const report = new Report();
  const codes: number[] = [];
  if (inside.length > 0) codes.push(await withRows(report, '', (env) => onEngine(parts[0], words, env)));
  if (outside.includes('monitoring')) await checkMonitoring(report);
  if (outside.includes('kubernetes')) codes.push(await withRows(report, 'kubernetes', checkKubernetes));
  const minutes = (performance.now() - startedAt) / 60_000;
  log(`${minutes.toFixed(1)} minutes, ${isWarm ? 'the engine was there' : 'the first set-up included'}`);
  if (outside.length > 0 && inside.length > 0)
    console.log(['', 'Acceptance', '', ...acceptanceOf(report.rows, minutes, isWarm)].join('\n'));
  const havePassed = outside.length > 0 ? report.end() : true;
  return havePassed ? (codes.find((code) => code !== 0) ?? 0) : 1;
}

/** Runs the checks of the engine, alone on this machine. */
async function onEngine(docker: DockerFiles, words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const lock = await waitForLock(path.join(docker.folder, 'in-use.lock'), (pid) =>
    log(`docker: another run uses the engine (pid ${pid}); waiting for it`),
  );
  const program = path.join(import.meta.dirname, 'checks.ts');
  return runInPrivateNetwork(docker, [nodeProgram(), program, ...words], env).finally(() => lock.release());
}

/** Adds the rows that a program leaves, under the name of a part where they have none. */
async function withRows(report: Report, part: string, run: (env: NodeJS.ProcessEnv) => Promise<number>) {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, 'rows.json');
  try {
    return await run({ ...process.env, REPORT_FILE: file });
  } finally {
    const rows = (readJson(file) ?? []) as Row[];
    report.rows.push(...rows.map((row) => ({ ...row, part: row.part || part })));
    remove();
  }
}

function unable(why: string) {
  console.log(`Nothing of the deployment was checked: ${why}`);
  return 3;
}

process.exit(await testDeployment(process.argv.slice(2)));
