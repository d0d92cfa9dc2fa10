import { Injectable } from '@nestjs/common';
import { sendUserLink } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import { systemContext } from '@swim/platform';
import type { UserLinkDocument } from './user-link.schema.js';
import { UserLinksRepository } from './user-links.repository.js';
import { UserLinksService } from './user-links.service.js';

/**
 * Requests the messages of links: after the request that made them, so that its time does not reveal whether an address is
 * known.
 */
@Injectable()
export class LinkMailsService {
  constructor(
    private readonly repository: UserLinksRepository,
    private readonly links: UserLinksService,
    private readonly rpc: RpcClient,
  ) {}

  @WhenDue(({ repository }: LinkMailsService) => repository.unsent)
  async send(link: UserLinkDocument): Promise<void> {
    const accountId = await this.links.accountOf(link);
    if (accountId !== null)
      await this.rpc.call(sendUserLink, { accountId, linkId: link._id }, systemContext('live', accountId));
    await this.repository.unsent.end(link);
  }
}
