"""An export of everything is mailed to the owners of the account."""

import pytest

from apps.accounts.models import AuditEntry, User, Widget
from apps.core.models import Mail
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db


def test_an_export_of_everything_is_mailed_to_the_owners_alone(shop: Widget, rival: Rival) -> None:
    owner = StaffFactory.create(account=shop.account, role="owner", language="ru")
    StaffFactory.create(account=rival.widget.account, role="owner")
    manager = StaffFactory.create(account=shop.account, role="manager")
    answer = signed_in(manager).post(f"/admin/accounts/widget/{shop.pk}/export/")
    assert answer.status_code == 200
    letters = list(Mail.objects.all())
    assert owner.email in {letter.to for letter in letters}
    assert manager.email not in {letter.to for letter in letters}
    owners = User.objects.filter(account=shop.account, role="owner").values_list("email", flat=True)
    assert {letter.to for letter in letters} == set(owners)
    (mine,) = (letter for letter in letters if letter.to == owner.email)
    assert mine.subject == "Все данные выгружены"
    assert manager.email in mine.text
    assert shop.name in mine.text
    assert AuditEntry.objects.filter(changes__export__isnull=False).exists()
