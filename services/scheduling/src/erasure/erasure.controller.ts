import { Controller } from '@nestjs/common';
import { type BusEvent, type ErasedMember, memberErased } from '@swim/contracts';
import { On } from '@swim/messaging';
import { ErasureService } from './erasure.service.js';

@Controller()
export class ErasureController {
  constructor(private readonly erasure: ErasureService) {}

  @On(memberErased)
  async onMemberErased(event: BusEvent<ErasedMember>): Promise<void> {
    await this.erasure.erase(event);
  }
}
