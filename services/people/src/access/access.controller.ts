import { Controller } from '@nestjs/common';
import { type OutputOf, type ParsedOf, verifyKey } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AccessService } from './access.service.js';

@Controller()
export class AccessController {
  constructor(private readonly access: AccessService) {}

  @Serve(verifyKey)
  async verify(input: ParsedOf<typeof verifyKey>): Promise<OutputOf<typeof verifyKey>> {
    return this.access.verify(input);
  }
}
