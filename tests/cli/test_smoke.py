def test_what_is_remembered_is_listed(box):
    box.run("remember", "Use pnpm, never npm", "--tag", "pnpm")
    assert box.run("list", "--json").json[0]["title"] == "Use pnpm, never npm"
