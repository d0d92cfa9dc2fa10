import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { goEnvironment } from '../local/engine/go-install.ts';
import { findOnPath } from '../system/files/find-on-path.mjs';
import { cacheFolder } from '../system/files/folders.ts';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { freePort, waitUntil } from '../system/processes/ports.ts';
import { runCommand } from '../system/processes/run-command.mjs';
import { logProgress } from '../system/progress.mjs';

const VERSION = '1.76.0';
const MODULE = 'github.com/jaegertracing/jaeger';
const WITHIN_MS = 60_000;

/** A trace, as Jaeger's API returns it. */
export interface Trace {
  traceID: string;
  spans: { spanID: string; references: { spanID: string }[]; operationName: string }[];
  processes: Record<string, { serviceName: string }>;
}

/** Finds Jaeger: on PATH, else built once from its released sources in the cache folder. */
export async function findJaeger(log: (line: string) => void): Promise<string> {
  const bin = path.join(cacheFolder(), `jaeger-${VERSION}`);
  const program = findOnPath('jaeger') ?? path.join(bin, 'jaeger');
  if (fs.existsSync(program)) return program;
  const downloads = temporaryFolder();
  await logProgress(log, `jaeger: building ${VERSION}`, () => build(bin, downloads.folder)).finally(downloads.remove);
  return program;
}

// Its module has replacements, which `go install` rejects: it is built in its own folder.
async function build(bin: string, downloads: string) {
  const env = goEnvironment(downloads);
  const described = await runCommand('go', ['mod', 'download', '-json', `${MODULE}@v${VERSION}`], { env });
  const { Dir: cwd } = JSON.parse(described) as { Dir: string };
  await runCommand('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', `${bin}/`, './cmd/jaeger'], { cwd, env });
  return VERSION;
}

/** Starts Jaeger, which keeps traces in memory. @throws when it does not start. */
export async function startJaeger(program: string, folder: string) {
  const addresses: string[] = [];
  for (let count = 0; count < 3; count += 1) addresses.push(`127.0.0.1:${await freePort()}`);
  const [otlp, query, grpc] = addresses;
  const configuration = {
    service: {
      extensions: ['jaeger_storage', 'jaeger_query'],
      pipelines: { traces: { receivers: ['otlp'], exporters: ['jaeger_storage_exporter'] } },
      telemetry: { metrics: { level: 'none' } },
    },
    extensions: {
      jaeger_storage: { backends: { memory: { memory: { max_traces: 100_000 } } } },
      jaeger_query: { storage: { traces: 'memory' }, http: { endpoint: query }, grpc: { endpoint: grpc } },
    },
    receivers: { otlp: { protocols: { http: { endpoint: otlp } } } },
    exporters: { jaeger_storage_exporter: { trace_storage: 'memory' } },
  };
  fs.writeFileSync(path.join(folder, 'jaeger.yml'), stringify(configuration));
  const child: ChildProcess = spawn(program, ['--config=jaeger.yml'], { cwd: folder, stdio: 'ignore' });
  const tracesOf = async (operation: string): Promise<Trace[]> => {
    const words = new URLSearchParams({ service: 'gateway', operation, limit: '1000' });
    const answer = await fetch(`http://${query}/api/traces?${words}`);
    return ((await answer.json()) as { data: Trace[] }).data;
  };
  const isUp = () => tracesOf('').then(Array.isArray, () => false);
  if (!(await waitUntil(isUp, WITHIN_MS, () => child.exitCode !== null))) {
    child.kill();
    throw new Error('Jaeger does not start');
  }
  return { child, endpoint: `http://${otlp}`, tracesOf };
}
