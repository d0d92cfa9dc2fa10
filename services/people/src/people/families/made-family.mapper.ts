import type { Locale, Member, NewFamily } from '@swim/contracts';
import { AppError } from '@swim/platform';

/** The connection with its school. */
interface OwnConnection {
  _id: string;
  externalId?: string | null;
  externalMembers?: readonly { memberId: string; externalId: string }[];
  createdAt: Date;
}

/** Maps a family that a school has made to the API's JSON. */
export function toNewFamily(
  { id, name, email, locale }: { id: string; name: string; email: string; locale: Locale },
  members: readonly Member[],
  { _id: connectionId, externalId, externalMembers = [], createdAt }: OwnConnection,
): NewFamily {
  const externalIds = new Map(externalMembers.map((each) => [each.memberId, each.externalId]));
  return {
    account_id: id,
    connection_id: connectionId,
    name,
    email,
    locale,
    claimed: false,
    external_id: externalId ?? null,
    member_ids: members.map((member) => member.id),
    members: members.map((member) => ({ ...member, external_id: externalIds.get(member.id) ?? null })),
    created_at: createdAt.toISOString(),
  };
}

/** Throws the error of a member with the field that it has in the request. */
export const memberError =
  (index: number) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.details.field === undefined) throw error;
    const { code, message, details } = error;
    const nested = (field: string) => `members.${index}.${field}`;
    const errors = details.errors?.map((each) => ({ ...each, field: nested(each.field) }));
    const field = nested(details.field!);
    throw AppError.fromBody({
      code,
      message: message.replace(details.field!, field),
      details: { ...details, field, ...(errors && { errors }) },
    });
  };
