import fs from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { readJson } from '../system/files/json-file.ts';
import { ROOT } from '../system/paths.mjs';

const FOLDER = path.join(import.meta.dirname, 'boards');
const SCALERS = path.join(ROOT, 'deploy/kubernetes/components/by-backlog/scalers.yaml');

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** Every query of the boards, with the variables of Grafana filled in. */
export const boardQueries = (): { panel: string; query: string }[] =>
  fs.readdirSync(FOLDER).flatMap((file) =>
    (readJson(path.join(FOLDER, file)) as { panels: Panel[] }).panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({
        panel: `${path.parse(file).name}: ${title}`,
        query: expr.replaceAll('$__rate_interval', '1m'),
      })),
    ),
  );

/** Every query of the scalers, and the value for which one replica is enough. */
export const scalerQueries = (): { panel: string; query: string; threshold: number }[] =>
  parseAllDocuments(fs.readFileSync(SCALERS, 'utf8'))
    .map((each) => each.toJS())
    .flatMap(({ metadata: { name }, spec }) =>
      spec.triggers.map(({ metadata }: { metadata: { query: string; threshold: string } }) => ({
        panel: `scaler of ${name}`,
        query: metadata.query,
        threshold: Number(metadata.threshold),
      })),
    );
