import { readFileSync } from "node:fs";
import { fictitious, otherLender } from "@/__tests__/support/lender";
import { productFiles } from "@/__tests__/support/product-files";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { defaultBrand } from "@/lib/brand";
import { consentText } from "@/lib/domain/consent";
import { applicationStatuses } from "@/lib/domain/statuses";
import { readSettings } from "@/lib/server/settings";
import { settingsSchema } from "@/lib/server/settings-schema";

test("every name, number and link of the fictitious lender has a setting that replaces it", () => {
  const settings = Object.keys(settingsSchema.shape).filter((name) => name.startsWith("BRAND_"));
  expect(Object.keys(otherLender).sort()).toEqual(settings.sort());
  const { brand } = readSettings(otherLender);
  for (const [key, value] of Object.entries(brand))
    expect([key, value]).not.toEqual([key, defaultBrand[key as "name"]]);
});

test("only lib/brand.ts mentions the fictitious lender", () => {
  const files = productFiles("app", "components", "lib").filter((file) => fictitious.test(readFileSync(file, "utf8")));
  expect(files).toEqual(["lib/brand.ts"]);
});

test("with every BRAND_ setting set, no email, SMS or consent mentions the fictitious lender", () => {
  const { brand } = readSettings(otherLender);
  const messages = [...Object.values(emails), ...Object.values(smsTexts)];
  const texts = applicationStatuses.flatMap((status) =>
    messages.map(({ render }) => JSON.stringify(render({ ...everyValue, status }, brand))),
  );
  expect(texts.length).toBeGreaterThan(60);
  for (const text of [...texts, JSON.stringify(consentText(brand))]) expect(text).not.toMatch(fictitious);
});
