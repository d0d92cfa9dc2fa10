import fs from 'node:fs';
import path from 'node:path';
import pretty from 'pino-pretty';
import { LOCAL } from '../system/paths.mjs';

/**
 * Shows the logs of the running stack, all processes in one: `npm run logs -- [NAME …] [--request ID]`. With an id it prints
 * every line of that request, in order of time, and ends; otherwise the last lines of each process, and then new ones.
 */
const FOLDER = path.join(LOCAL, 'logs');
const LAST_LINES = 10;
const POLL_MS = 250;

const { names, requestId } = readArguments(process.argv.slice(2));
const format = pretty.prettyFactory({
  colorize: process.stdout.isTTY,
  ignore: 'pid,service',
  messageFormat: '{service} {msg}',
  singleLine: true,
  translateTime: 'SYS:HH:MM:ss.l',
});
const files = names.map((name) => path.join(FOLDER, `${name}.log`));
const byTime = (a: string, b: string) => (timeOf(a) < timeOf(b) ? -1 : 1);

if (requestId) {
  const lines = files.flatMap(linesOf).filter((line) => line.includes(`"requestId":"${requestId}"`));
  show(lines);
  if (lines.length === 0) {
    console.error(`no line of ${names.join(', ')} names the request ${requestId}`);
    process.exitCode = 1;
  }
} else {
  show(files.flatMap((file) => linesOf(file).slice(-LAST_LINES)));
  for (const file of files) follow(file);
}

function readArguments(args: string[]) {
  const at = args.indexOf('--request');
  const given = at < 0 ? args : args.toSpliced(at, 2);
  const known = fs.existsSync(FOLDER) ? fs.readdirSync(FOLDER).filter((file) => file.endsWith('.log')) : [];
  const all = known.map((file) => path.basename(file, '.log'));
  const unknown = given.filter((name) => !all.includes(name));
  if (all.length === 0 || unknown.length > 0 || (at >= 0 && !args[at + 1])) {
    console.error(
      `usage: npm run logs -- [${all.join(' | ') || 'a process of a stack that has run'} …] [--request ID]`,
    );
    process.exit(2);
  }
  return { names: given.length > 0 ? given : all, requestId: at < 0 ? null : args[at + 1] };
}

function linesOf(file: string) {
  return fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

function show(lines: string[]) {
  for (const line of lines.sort(byTime)) process.stdout.write(line.startsWith('{') ? format(line) : `${line}\n`);
}

function timeOf(line: string) {
  return /"time":"([^"]+)"/.exec(line)?.[1] ?? '';
}

// A restarted process starts a new file.
function follow(file: string) {
  let position = fs.statSync(file).size;
  let rest = '';
  setInterval(() => {
    const { size } = fs.statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size < position) position = 0;
    if (size === position) return;
    const text = rest + read(file, position, size);
    position = size;
    const lines = text.split('\n');
    rest = lines.pop() ?? '';
    show(lines.filter(Boolean));
  }, POLL_MS);
}

function read(file: string, from: number, to: number) {
  const descriptor = fs.openSync(file, 'r');
  const buffer = Buffer.alloc(to - from);
  fs.readSync(descriptor, buffer, 0, buffer.length, from);
  fs.closeSync(descriptor);
  return buffer.toString('utf8');
}
