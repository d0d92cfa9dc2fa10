import { Inject, Injectable } from '@nestjs/common';
import {
  addImportRows,
  createImport,
  type DataImport,
  getImport,
  listImports,
  MOST_IMPORT_ROWS,
  type Page,
  type ParsedOf,
  runImport,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, Clock, type RequestContext, requireScope } from '@swim/platform';
import { rowsOf, toImport, toListedImport } from './import.mapper.js';
import { ImportRowsRepository } from './import-rows.repository.js';
import { ImportSaga } from './import-saga.service.js';
import { ImportsRepository, requireOpen, requireRows } from './imports.repository.js';

const MOST_OPEN = 10;

/** Imports as the school uses them. */
@Injectable()
export class ImportsService {
  @Inject(Clock) private readonly clock!: Clock;

  constructor(
    private readonly imports: ImportsRepository,
    private readonly rows: ImportRowsRepository,
    private readonly saga: ImportSaga,
  ) {}

  @Serve(createImport)
  async create({ kind }: ParsedOf<typeof createImport>, context: RequestContext): Promise<DataImport> {
    if (context.principal.kind !== 'school') throw new AppError('school_only');
    const id = context.newId('imp');
    // An earlier run of the request may have made it.
    const isFull = !context.resumed && (await this.imports.countOpen(context)) >= MOST_OPEN;
    if (isFull && !(await this.imports.replaceOldest(context))) throw tooManyOpen();
    if (context.dryRun) return toImport(this.imports.preview(context, id, kind, this.clock.now()));
    return toImport(await this.imports.insert(context, id, kind));
  }

  @Serve(addImportRows)
  async addRows({ import_id: id, rows }: ParsedOf<typeof addImportRows>, context: RequestContext): Promise<DataImport> {
    if (rows.some((row) => 'medical_notes' in row)) requireScope('members:medical', context);
    const known = await this.imports.getVisible(context, id);
    const batch = { id: context.newId('req'), rows: rows.length };
    const isAdded = known.batches.some((each) => each.id === batch.id);
    if (!isAdded) {
      requireOpen(known);
      requireRows(rowsOf(known) + rows.length, MOST_IMPORT_ROWS);
    }
    if (context.dryRun) return toImport({ ...known, batches: [...known.batches, batch] });
    if (!isAdded) await this.rows.insert(context, known, batch.id, rows);
    return toImport(await this.imports.addBatch(context, id, batch, MOST_IMPORT_ROWS));
  }

  @Serve(runImport)
  async run({ import_id: id }: ParsedOf<typeof runImport>, context: RequestContext): Promise<DataImport> {
    const known = await this.imports.getVisible(context, id);
    if (known.status !== 'open') return toImport(known);
    if (context.dryRun) return toImport({ ...known, status: 'done', counts: await this.saga.preview(known, context) });
    return toImport(await this.imports.markRunning(context, id));
  }

  @Serve(getImport)
  async get({ import_id: id }: ParsedOf<typeof getImport>, context: RequestContext): Promise<DataImport> {
    return toImport(await this.imports.getVisible(context, id));
  }

  @Serve(listImports)
  async list(query: ParsedOf<typeof listImports>, context: RequestContext): Promise<Page<DataImport>> {
    const { items, pagination } = await this.imports.listVisible(context, query);
    return { items: items.map(toListedImport), pagination };
  }
}

const tooManyOpen = () =>
  new AppError('limit_reached', {
    message: `At most ${MOST_OPEN} imports of a school run at a time. Create the next one once one of them is done.`,
    details: { limit: MOST_OPEN },
  });
