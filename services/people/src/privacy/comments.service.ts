import { Injectable } from '@nestjs/common';
import type { Environment, Instructor } from '@swim/contracts';
import { FreeTexts, type TextPlace } from '@swim/mongo';

/** Of whom a review's comment tells, where that is known, and who wrote it. */
export interface CommentOwner {
  memberId?: string | null | undefined;
  authorId: string;
}

/** A review as it is stored with its instructor: its comment is sealed under the key of the member that it tells of. */
export type StoredReview = Instructor['reviews'][number] & {
  /** Base64; absent where there is no comment, and where a former release stored it as it is. */
  sealed?: string;
  owner?: CommentOwner;
};

const placeOf = (reviewId: string, { memberId, authorId }: CommentOwner): TextPlace => ({
  owner: { id: memberId ?? authorId, accountId: authorId },
  field: 'comment',
  documentId: reviewId,
});

/** Comments of reviews, which are stored under the key of the member whose session they tell of. */
@Injectable()
export class CommentsService {
  constructor(private readonly texts: FreeTexts) {}

  /** What is to be stored of a comment. */
  seal(env: Environment, comment: string | null, reviewId: string, owner: CommentOwner): Promise<Buffer | null> {
    return this.texts.seal(env, comment, placeOf(reviewId, owner));
  }

  /** A stored comment in clear; null once its key is destroyed. */
  open(env: Environment, stored: unknown, reviewId: string, owner: CommentOwner): Promise<string | null> {
    return this.texts.open(env, stored, placeOf(reviewId, owner));
  }

  /** A review as an instructor's profile shows it. */
  async openShown(env: Environment, stored: StoredReview): Promise<Instructor['reviews'][number]> {
    const { sealed, owner, ...shown } = stored;
    if (sealed === undefined || !owner) return shown;
    return { ...shown, comment: await this.open(env, Buffer.from(sealed, 'base64'), shown.id, owner) };
  }
}
