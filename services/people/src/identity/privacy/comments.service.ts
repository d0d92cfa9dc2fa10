import { Injectable } from '@nestjs/common';
import type { Instructor } from '@swim/contracts';
import { FreeTexts, type TextPlace } from '@swim/mongo';

/** The member of a review's session, null once an erasure has removed it, and the review's author. */
export interface CommentOwner {
  memberId: string | null;
  authorId: string;
}

/** A review as stored with its instructor: its comment is encrypted with the key of the session's member. */
export type StoredReview = Instructor['reviews'][number] & {
  /** Base64; absent without a comment. */
  sealed?: string;
  owner?: CommentOwner;
};

const placeOf = (reviewId: string, { memberId, authorId }: CommentOwner): TextPlace => ({
  owner: { id: memberId ?? authorId, accountId: authorId },
  field: 'comment',
  documentId: reviewId,
});

/** Encrypts comments of reviews with the key of the session's member. */
@Injectable()
export class CommentsService {
  constructor(private readonly texts: FreeTexts) {}

  /** A comment as stored. */
  seal(comment: string | null, reviewId: string, owner: CommentOwner): Promise<Buffer | null> {
    return this.texts.seal(comment, placeOf(reviewId, owner));
  }

  /** A stored comment in clear; null once its key is destroyed. */
  open(stored: unknown, reviewId: string, owner: CommentOwner): Promise<string | null> {
    return this.texts.open(stored, placeOf(reviewId, owner));
  }

  /** A review as an instructor's profile shows it. */
  private async openShown(stored: StoredReview): Promise<Instructor['reviews'][number]> {
    const { sealed, owner, ...shown } = stored;
    if (sealed === undefined || !owner) return shown;
    return { ...shown, comment: await this.open(Buffer.from(sealed, 'base64'), shown.id, owner) };
  }

  /** Documents with reviews as an instructor's profile shows them. */
  openShownOf<D extends { reviews?: StoredReview[] }>(stored: D[]): Promise<D[]> {
    return Promise.all(
      stored.map(async (document) => {
        const { reviews = [] } = document;
        return { ...document, reviews: await Promise.all(reviews.map((review) => this.openShown(review))) };
      }),
    );
  }
}
