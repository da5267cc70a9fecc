/** autocannon ships without type declarations. */
declare module "autocannon";
