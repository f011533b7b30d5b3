"""Who may see what; what a page does with hostile names."""

import pytest

from tests.panels.plans import save

ADMIN_ONLY = (
    "/infrastructure/",
    "/infrastructure/status/",
    "/infrastructure/deployments/",
    "/infrastructure/deployments/status/",
    "/infrastructure/deployments/plans/demo/",
    "/infrastructure/deployments/plans/demo/status/",
    "/infrastructure/deployments/plans/demo/files/",
    "/infrastructure/deployments/plans/demo/files/plan.yaml/",
    "/infrastructure/deployments/plans/demo/deploy/",
    "/infrastructure/deployments/plans/demo/undeploy/",
)


@pytest.mark.parametrize("path", ADMIN_ONLY)
def test_member_gets_403_on_the_url_itself(member, path):
    save(member.cloud)
    member.cloud.forget()

    assert member.client.get(path).status_code == 403
    assert not member.cloud.calls


@pytest.mark.parametrize("action", ["deploy", "undeploy"])
def test_member_cannot_post_either(member, action):
    save(member.cloud)

    assert member.client.post(f"/infrastructure/deployments/plans/demo/{action}/").status_code == 403
    assert not member.cloud.trusts


def test_member_sees_requests_and_only_that_panel(member):
    page = member.get("/infrastructure/requests/")

    assert "/infrastructure/requests/" in page.html
    assert "/infrastructure/deployments/" not in page.html[: page.html.find('id="content_body"')]


def test_nobody_is_sent_to_the_login(client):
    response = client.get("/infrastructure/")

    assert response.status_code == 302
    assert "/auth/login/" in response["Location"]


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "{{7*7}}", '"><img src=x onerror=alert(1)>'])
def test_hostile_names_are_text(admin, name):
    admin.cloud.heat.add(name)

    for path in ("/infrastructure/deployments/", "/infrastructure/deployments/?q=%3Cscript%3Ex%22%3E"):
        content = admin.get(path).content
        assert "<script>alert" not in content
        assert "<script>x" not in content
        assert "<img src=x" not in content
        assert "{{7*7}}" not in content


def test_hostile_description_and_reason_are_text(admin):
    save(admin.cloud, description="<b>bold</b>")
    admin.cloud.heat.add("demo", "CREATE_FAILED", {"Compute": [("CREATE_FAILED", "<i>no host</i>")]})

    page = admin.get("/infrastructure/deployments/plans/demo/")

    assert "&lt;b&gt;bold" in page.content
    assert "&lt;i&gt;no host" in page.content
    assert "<i>no" not in page.content


@pytest.mark.parametrize(
    "path", ["/infrastructure/", "/infrastructure/deployments/", "/infrastructure/deployments/plans/demo/"]
)
def test_no_inline_script_or_style_of_ours(admin, path):
    save(admin.cloud)
    page = admin.get(path)
    ours = page.content[page.content.find('class="tripleo-ui"') : page.content.find("</div>\n    \n")]

    assert "<style" not in ours
    assert " style=" not in ours
    assert " onclick=" not in ours
    assert "<script" not in ours.split("jquery")[0].split('<script type="module"')[0]
