const { TestEnvironment } = require("jest-environment-node");

/** Jest's environment for a room that is one file: a mutant is noticed with its first failed test, so no other needs to run. */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // Which tests reach the mutant: room.test.ts loads no file without any of them.
    this.global.testNamePattern = config.globalConfig.testNamePattern;
  }

  handleTestEvent(event, state) {
    if (event.name === "test_done" && event.test.errors.length > 0) state.testNamePattern = /$^/;
  }
};
