-- The mail system and a person may both stop an address: what a person says is not lost where an email has bounced before.
CREATE UNIQUE INDEX "suppressions_channel_addressHash_by_key" ON "suppressions"("channel", "addressHash", "by");
DROP INDEX "suppressions_channel_addressHash_key";
