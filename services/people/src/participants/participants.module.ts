import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { InstructorsModule } from '../instructors/instructors.module.js';
import { MembersModule } from '../members/members.module.js';
import { EmailConfirmationController } from './email-confirmation.controller.js';
import { ParticipantsService } from './participants.service.js';
import { RecipientsService } from './recipients.service.js';

/** Instructor, members and policies of a session, as scheduling needs them; who gets messages, as notification does. */
@Module({
  imports: [AccountsModule, InstructorsModule, MembersModule],
  controllers: [EmailConfirmationController],
  providers: [ParticipantsService, RecipientsService],
})
export class ParticipantsModule {}
