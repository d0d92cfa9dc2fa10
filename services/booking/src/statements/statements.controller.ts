import { Controller } from '@nestjs/common';
import { getStatement, type ParsedOf, type Statement } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { StatementsService } from './statements.service.js';

@Controller()
export class StatementsController {
  constructor(private readonly statements: StatementsService) {}

  @Serve(getStatement)
  get(input: ParsedOf<typeof getStatement>, context: RequestContext): Promise<Statement> {
    return this.statements.get(input, context);
  }
}
